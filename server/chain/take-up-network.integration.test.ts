import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPerson, openTestWeb, type TestPerson, type TestWeb } from '#server/api/api-world.test-support.ts';
import { createChainRpcClient } from '#server/chain/chain-rpc-client.ts';
import { confirmTakingUp } from '#server/chain/confirm-taking-up.ts';
import type { HaltedNetwork } from '#server/chain/find-halted-networks.ts';
import { rereadOverlap } from '#server/chain/reread-overlap.ts';
import { coinPayment, FAKE_TOKEN, FakeChain, tokenPayment } from '#server/chain/test-support/fake-chain.ts';
import { followChain } from '#server/chain/test-support/fake-networks.ts';
import { issueDepositAddresses } from '#server/deposits/issue-deposit-addresses.ts';
import { createDispatchWorld, type DispatchWorld } from '../../worker/test-support/dispatch-world.ts';

let world: DispatchWorld;
let node: FakeChain;
let web: TestWeb;
let olga: TestPerson;
let oscar: TestPerson;
let to: string;
beforeAll(async () => {
  world = await createDispatchWorld({ contract: FAKE_TOKEN });
  await world.rows(`delete from asset_networks where asset_id = 'USDT' and network_id = 'ethereum'`);
  await world.rows('alter table networks disable trigger networks_fewer_confirmed');
  await world.rows('update networks set confirmations_required = 3');
  node = new FakeChain();
  await node.start();
  const port = createChainRpcClient({ url: node.url, timeoutMs: 10_000 });
  const chain = { networkId: 'ethereum', port };
  web = await openTestWeb(world.db, {
    room: { queue: null, custodyAnswers: async () => true, lab: null, chains: [chain] },
  });
  olga = web.as(await openPerson(world.db, { role: 'operator' }));
  oscar = web.as(await openPerson(world.db, { role: 'approver' }));
  const addresses = await issueDepositAddresses(world, { customerId: world.customerId });
  to = addresses.find((one) => one.networkId === 'ethereum')?.address.toLowerCase() ?? '';
});
afterAll(async () => {
  await web.close();
  await node.stop();
  await world.close();
});

const reader = () => ({ db: world.db, chain: createChainRpcClient({ url: node.url, timeoutMs: 10_000 }) });
const follow = () => followChain(reader(), 'ethereum');
const halted = async () =>
  (await olga.query<{ networks: HaltedNetwork[] }>('operator.reconciliation.halted')).data.networks[0];
const propose = async (fromNumber: string, who = olga) => {
  const resumptionId = randomUUID();
  const asked = { resumptionId, networkId: 'ethereum', fromNumber, reason: 'the node was mended' };
  const { refusal } = await who.mutate('operator.reconciliation.proposeTakingUp', asked);
  return { resumptionId, refusal };
};
const confirm = (resumptionId: string, who = oscar) =>
  who.confirm<{ kind: string }>(
    'operator.reconciliation.confirmTakingUp',
    { resumptionId },
    { deed: 'take_up_network', subject: resumptionId },
  );
const credited = () => world.rows('select amount_minor::text as minor from deposits order by amount_minor');

it('a halted network is taken up again by two people: read anew, credited once, and what vanished is a case', async () => {
  for (let block = 0; block < 3; block += 1) node.mine();
  const common = node.blocks;
  node.mine([tokenPayment('gone', to, [5n]), coinPayment('stays', to, 7n)]);
  for (let block = 0; block < 4; block += 1) node.mine();
  await follow();
  expect(await credited()).toEqual([{ minor: '5' }, { minor: '7' }]);
  node.blocks = common;
  node.mine();
  node.mine([coinPayment('stays', to, 7n), coinPayment('new', to, 9n)]);
  for (let block = 0; block < 6; block += 1) node.mine();
  await follow();
  expect(await halted()).toMatchObject({ networkId: 'ethereum', block: '8', agreedNumber: '3', proposal: null });

  // Above the fork the node has another block than we keep; above the cursor something would be passed over.
  expect((await propose('6')).refusal?.detail).toContain('another block');
  expect((await propose('9')).refusal?.detail).toContain('passed over');
  const { resumptionId } = await propose('3');
  expect((await halted())?.proposal).toMatchObject({ resumptionId, fromNumber: '3', completed: 0, credited: 2 });
  expect((await confirm(resumptionId, olga)).refusal?.code).toBe('second_person_needed');
  const bare = await oscar.mutate('operator.reconciliation.confirmTakingUp', { resumptionId });
  expect(bare.refusal?.code).toBe('step_up_required');
  expect(await halted()).toBeDefined();

  expect((await confirm(resumptionId)).data).toMatchObject({ kind: 'taken_up' });
  expect(await halted()).toBeUndefined();
  await follow();
  expect(await credited()).toEqual([{ minor: '5' }, { minor: '7' }, { minor: '9' }]);
  const effects = await world.rows(`select amount_minor::text as minor, state from chain_effects order by 1`);
  expect(effects).toEqual([
    { minor: '5', state: 'orphaned' },
    { minor: '7', state: 'final' },
    { minor: '9', state: 'final' },
  ]);
  const cases = await world.rows(`select kind, evidence ->> 'amountMinor' as minor from cases`);
  expect(cases).toEqual([{ kind: 'deposit_vanished', minor: '5' }]);
  const deeds = await world.rows(`select action, subject from audit_log where action like 'chain.%' order by seq`);
  expect(deeds).toEqual([
    { action: 'chain.propose_taking_up', subject: 'ethereum' },
    { action: 'chain.take_up', subject: 'ethereum' },
  ]);
  expect((await confirm(resumptionId)).refusal?.code).toBe('already_done');
});

it('a node that changed its mind between proposal and confirmation is asked again', async () => {
  const before = node.blocks;
  node.blocks = before.slice(0, 2);
  for (let block = 0; block < 14; block += 1) node.mine();
  await follow();
  const { resumptionId } = await propose('1');
  node.blocks = node.blocks.slice(0, 1);
  for (let block = 0; block < 14; block += 1) node.mine();
  expect((await confirm(resumptionId)).refusal?.code).toBe('changed_meanwhile');
  expect(await halted()).toMatchObject({ agreedNumber: '0' });
});

it('every deposit that our copy holds wrongly is a case, however deep it lies and whatever stands above it', async () => {
  await confirm((await propose('0')).resumptionId);
  await follow();
  const ground = node.head.number;
  node.mine([coinPayment('deep', to, 11n)]);
  for (let block = 0; block < 1_010; block += 1) node.mine();
  node.mine([coinPayment('near', to, 12n)]);
  node.mine([coinPayment('right', to, 13n)]);
  for (let block = 0; block < 25; block += 1) node.mine();
  await follow();
  expect(await credited()).toEqual(expect.arrayContaining([{ minor: '11' }, { minor: '12' }, { minor: '13' }]));
  await world.rows(
    `update chain_effects set transaction_hash = 'never ' || id, block_hash = 'never ' || id where amount_minor in (11, 12)`,
  );
  await world.rows('update chain_blocks set block_hash = $1 where canonical and block_number = $2', [
    'damaged',
    node.head.number - 5,
  ]);
  expect(await rereadOverlap(reader(), { networkId: 'ethereum' })).toEqual({ kind: 'halted' });
  // What the node agrees on is asked for once, however many pages are open.
  await halted();
  const { questions } = node;
  expect(await halted()).toMatchObject({ agreedNumber: String(node.head.number - 6) });
  expect(node.questions).toBe(questions);

  const { resumptionId } = await propose(String(ground));
  const found = () =>
    world.rows(
      `select evidence ->> 'amountMinor' as minor from cases where kind = 'deposit_vanished' and (evidence ->> 'amountMinor')::integer > 10 order by 1`,
    );
  // Neither somebody without a second factor nor another network's node opens a case or stops anybody's payouts.
  await oscar.mutate('operator.reconciliation.confirmTakingUp', { resumptionId });
  const elsewhere = { db: world.db, chains: [{ networkId: 'bitcoin', port: reader().chain }] };
  const asked = { resumptionId, actorId: randomUUID(), confirm: async () => null };
  expect(await confirmTakingUp(elsewhere, asked)).toMatchObject({ kind: 'refused', refusal: { code: 'not_found' } });
  expect(await found()).toEqual([]);

  expect((await confirm(resumptionId)).data).toMatchObject({ kind: 'taken_up' });
  expect(await found()).toEqual([{ minor: '11' }, { minor: '12' }]);
});
