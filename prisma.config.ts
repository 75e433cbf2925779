import { defineConfig } from 'prisma/config';

// Every command of the CLI downloads a native engine first, also those that never use it (generate, validate, format).
// A path that exists is enough for those; migrations run without it, see prisma/migrate.ts. An engine of your own wins.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= '/bin/true';

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_URL ?? 'postgresql://nobody@127.0.0.1:1/unset' },
});
