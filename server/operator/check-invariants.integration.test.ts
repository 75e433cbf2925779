import { expect, it } from 'vitest';
import {
  broadcast,
  DEPTH,
  ETHER,
  follow,
  requestEther,
  someAddress,
  useIndexedChain,
} from '#server/chain/test-support/indexed-chain.ts';
import { checkInvariants } from '#server/operator/check-invariants.ts';

const here = useIndexedChain();

it('a completed payment is looked for on the chain as far as its network is read, and is a difference where it is not found', async () => {
  const to = someAddress();
  const requested = await requestEther(to);
  const { hash, raw } = await here.node.signPayment(to, ETHER);
  await broadcast(hash, requested);
  await here.node.send(raw);
  await here.node.mine(DEPTH);
  await follow();
  expect(await here.world.row(requested.withdrawalId)).toMatchObject({ status: 'completed' });
  const differences = async () => {
    const now = (await here.world.now()).getTime();
    const results = await checkInvariants(here.world.tools, { fromMs: now - 600_000, toMs: now + 600_000 });
    return results.find(({ name }) => name === 'three_books')?.examples;
  };
  expect(await differences()).toEqual([]);
  // As when two people have taken the network up again: set aside, and not read anew yet.
  await here.world.rows(`update chain_effects set state = 'orphaned' where withdrawal_id = $1`, [
    requested.withdrawalId,
  ]);
  await here.world.rows(
    'update chain_cursors c set block_number = e.block_number - 1 from chain_effects e where e.withdrawal_id = $1',
    [requested.withdrawalId],
  );
  expect(await differences()).toEqual([]);
  await here.world.rows('update chain_cursors set block_number = block_number + 1');
  expect(await differences()).toEqual([`chain_differs ${requested.key}`]);
});
