import { expect, test } from 'vitest';
import { runCustody } from '../run-custody.ts';
import { openCustodyClient } from '../test-support/custody-client.ts';
import { openCustodyWorld } from '../test-support/custody-under-test.ts';
import { waitUntil } from '../test-support/wait-until.ts';

test('a wallet that was never looked at is not shown as an empty one', async () => {
  const world = await openCustodyWorld({ privateChain: false });
  const client = openCustodyClient(world.baseUrl);
  const shows = async (asset: string) =>
    JSON.stringify((await client.get('/v1/balances')).body).includes(`"asset":"${asset}"`);
  const nowhere = { ...world.env, CHAIN_RPC_URL: 'http://127.0.0.1:9' };
  const cutOff = await runCustody({ log: () => undefined }, nowhere);
  await waitUntil('the other networks were looked at', () => shows('XRP'));
  expect([await shows('ETH'), await shows('USDC')]).toEqual([false, false]);
  await cutOff.stop();
  const custody = await runCustody({ log: () => undefined }, world.env);
  await waitUntil('the wallets were looked at', () => shows('USDC'));
  await custody.stop();
  await world.close();
});
