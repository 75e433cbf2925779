import { afterEach, beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  // Nothing is connected to: a pool opens its first connection with its first statement.
  vi.stubEnv('DATABASE_URL', 'postgres://nobody@127.0.0.1:1/nowhere');
  vi.stubEnv('REDIS_URL', 'redis://127.0.0.1:1');
  vi.stubEnv('CUSTODY_URL', 'http://127.0.0.1:1');
  vi.stubEnv('CUSTODY_API_KEY', 'test');
  vi.stubEnv('CUSTODY_WEBHOOK_SECRET', 'whsec_dGVzdC10ZXN0LXRlc3QtdGVzdC10ZXN0LXRlc3Q=');
  vi.stubEnv('PUBLIC_URL', 'http://localhost:3000');
  vi.stubEnv('AUTH_SECRET', 'a secret that only tests know, of some length');
});
afterEach(() => vi.unstubAllEnvs());

test('DB11: however often its modules are evaluated anew, a process has one pool and one set of tools', async () => {
  const evaluate = async () => {
    vi.resetModules();
    const { dependencies } = await import('#server/dependencies.ts');
    const { processDatabase } = await import('#server/db/process-database.ts');
    return [dependencies(), dependencies().db, processDatabase()];
  };
  const first = await evaluate();
  for (let edit = 0; edit < 3; edit += 1) {
    const again = await evaluate();
    expect(again.map((tool, index) => tool === first[index])).toEqual([true, true, true]);
  }
  expect(first[1]).toBe(first[2]);
});
