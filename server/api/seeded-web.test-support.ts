import { createTestDatabase, type TestDatabase } from '#server/db/test-database.ts';
import { migrate } from '../../prisma/migrate.ts';
import { seed } from '../../prisma/seed.ts';
import { openTestWeb, type TestWeb } from './api-world.test-support.ts';

/** A web with a database of its own, seeded as a house that pays on Ethereum. Whoever opens it closes it. */
export async function openSeededWeb(
  options: Parameters<typeof openTestWeb>[1] = {},
): Promise<{ database: TestDatabase; web: TestWeb; close: () => Promise<void> }> {
  const database = await createTestDatabase({ migrate });
  await seed({ db: database.db }, { demoMode: false, contracts: { USDC: `0x${'c0'.repeat(20)}`, USDT: null } });
  const web = await openTestWeb(database.db, options);
  const close = async () => {
    await web.close();
    await database.close();
  };
  return { database, web, close };
}
