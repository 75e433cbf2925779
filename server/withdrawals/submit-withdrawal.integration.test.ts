import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '#server/db/database.ts';
import { claimWithdrawal } from '#server/withdrawals/claim-withdrawal.ts';
import { submitWithdrawal } from '#server/withdrawals/submit-withdrawal.ts';
import { processWithdrawal } from '../../worker/processors/withdrawal-processor.ts';
import { createDispatchWorld, type DispatchWorld } from '../../worker/test-support/dispatch-world.ts';
import type { CreateScript, ScriptedTransfer } from '../../worker/test-support/scripted-custody.ts';

let world: DispatchWorld;
beforeAll(async () => {
  world = await createDispatchWorld({
    // The quiet period is longer than any test here takes on a busy machine.
    times: { backoffFirstMs: 0, backoffMaxMs: 0, quietPeriodMs: 60_000, notAfterMs: 3_600_000 },
  });
  world.custody.capabilities.requestsNeverRepeated = true;
  await world.seedControl();
});
afterAll(() => world.close());
beforeEach(() => {
  world.custody.creates.length = 0;
  world.custody.script = [];
  world.custody.lookUps = 'normal';
  world.custody.beforeAnswer = () => Promise.resolve();
});

const process = (withdrawalId: string) => processWithdrawal(world.tools, { withdrawalId });
const attempts = (withdrawalId: string) =>
  world.rows('select * from withdrawal_attempts where withdrawal_id = $1 order by attempt', [withdrawalId]);
const claim = async (withdrawalId: string) => {
  const claimed = await claimWithdrawal(world.tools, { withdrawalId });
  if (claimed.kind !== 'claimed') throw new Error(`not claimed: ${claimed.kind}`);
  return claimed.send;
};

describe('a queued withdrawal', () => {
  it('is sent once under its key, which is its reference too, and is submitted', async () => {
    const { withdrawalId, key } = await world.request();
    expect(await process(withdrawalId)).toMatchObject({ kind: 'submitted' });
    const row = await world.row(withdrawalId);
    expect(row).toMatchObject({ status: 'submitted', fence: '1', transfer_id: world.custody.transferOf(key).id });
    expect(world.custody.creates).toMatchObject([{ key, externalId: key }]);
  });

  it('Q14: has its intent and its exact bytes in the database before the first byte leaves', async () => {
    const { withdrawalId, key } = await world.request();
    let seen: Record<string, unknown>[] = [];
    world.custody.beforeAnswer = async () => {
      seen = await attempts(withdrawalId);
    };
    await process(withdrawalId);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ outcome: null, kind: 'send', fence: '1' });
    expect(seen[0]?.body_sha256).toBe(world.custody.creates[0]?.bodySha256);
    expect(String(seen[0]?.body)).toBe(world.custody.creates[0]?.body);
    expect(JSON.parse(world.custody.creates[0]?.body ?? '')).toMatchObject({
      externalId: key,
      amount: '25',
      memo: null,
    });
  });
});

describe('while custody is asked', () => {
  it('DB05: no transaction of ours is open, however long it takes', async () => {
    const { withdrawalId } = await world.request();
    let open: Record<string, unknown>[] = [{ state: 'never looked' }];
    world.custody.beforeAnswer = async () => {
      open = await world.rows(
        `select state, query from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
      );
    };
    expect(await process(withdrawalId)).toMatchObject({ kind: 'submitted' });
    expect(open).toEqual([]);
  });
});

describe('an answer that cannot be written down', () => {
  it('CU02: is found again by its reference; nothing is sent twice and nothing given back', async () => {
    const { withdrawalId, key } = await world.request();
    const query: Database['query'] = (statement, values) => {
      if (statement.name === 'accepted_transition') throw new Error('the database went away');
      return world.db.query(statement, values);
    };
    const broken: Database = Object.create(world.db, { query: { value: query } });
    await expect(processWithdrawal({ ...world.tools, db: broken }, { withdrawalId })).rejects.toThrow('went away');
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'dispatching', transfer_id: null });
    await world.makeDue(withdrawalId);
    expect(await process(withdrawalId)).toMatchObject({ kind: 'doubt_found' });
    expect(await world.row(withdrawalId)).toMatchObject({ transfer_id: world.custody.transferOf(key).id });
    expect(world.custody.creates).toHaveLength(1);
    const booked = await world.rows('select kind from ledger_transfers where source_id = $1', [withdrawalId]);
    expect(booked).toEqual([{ kind: 'hold' }]);
  });
});

describe('a transfer that is on the network', () => {
  it('CU13: never slips back, though custody shows it as waiting again, without its hash, or not at all', async () => {
    const { withdrawalId, key } = await world.request();
    await process(withdrawalId);
    const transfer = world.custody.transferOf(key);
    const look = async (change: Partial<ScriptedTransfer> | null) => {
      if (change === null) world.custody.transfers.delete(key);
      else world.custody.transfers.set(key, Object.assign(transfer, change));
      await world.makeDue(withdrawalId);
      await process(withdrawalId);
      return String((await world.row(withdrawalId)).status);
    };
    const hash = `0x${'ef'.repeat(32)}`;
    const seen = [
      await look({ status: 'broadcast', transactions: [{ hash, nonce: 1, status: 'broadcast', signedAt: '' }] }),
      await look({ status: 'accepted', transactions: [] }),
      await look(null),
      await look({ status: 'broadcast' }),
    ];
    expect(seen).toEqual(['broadcast', 'broadcast', 'broadcast', 'broadcast']);
    expect(await world.row(withdrawalId)).toMatchObject({ transaction_hash: hash, transfer_id: transfer.id });
    expect(world.custody.creates).toHaveLength(1);
    const back = `select 1 from withdrawal_history where withdrawal_id = $1 and to_status in ('queued', 'in_doubt')
      and from_status is not null`;
    expect(await world.rows(back, [withdrawalId])).toEqual([]);
  });
});

describe('an answer that proves no transfer', () => {
  const made: readonly [CreateScript, number][] = [
    ['accept_then_drop', 1],
    ['accept_then_502', 1],
    ['accept_then_html', 1],
    ['accept_then_hang', 1],
  ];
  it.each(made)('CU01: %s: the transfer is found by a look-up and never sent again', async (script, creates) => {
    const { withdrawalId, key } = await world.request();
    world.custody.script = [script];
    expect(await process(withdrawalId)).toMatchObject({ kind: 'doubt_found' });
    expect(await world.row(withdrawalId)).toMatchObject({
      status: 'submitted',
      transfer_id: world.custody.transferOf(key).id,
    });
    expect(world.custody.creates).toHaveLength(creates);
    expect(await attempts(withdrawalId)).toMatchObject([
      { kind: 'send', outcome: 'in_doubt' },
      { kind: 'look_up', outcome: 'found' },
    ]);
  });

  const unmade: readonly CreateScript[] = ['drop', 'hang', '500', 'redirect', 'expired'];
  it.each(unmade)(
    '%s: the row stays in doubt with its hold, and nothing is sent inside the quiet period',
    async (script) => {
      const { withdrawalId } = await world.request();
      world.custody.script = [script];
      expect(await process(withdrawalId)).toMatchObject({ kind: 'doubt_waiting' });
      expect(await world.row(withdrawalId)).toMatchObject({ status: 'in_doubt', wait_reason: 'quiet_period' });
      await world.makeDue(withdrawalId);
      await process(withdrawalId);
      expect(world.custody.creates).toHaveLength(1);
    },
  );

  it('an accepted answer with another amount is not ours: found by the look-up as ours, it goes on', async () => {
    const { withdrawalId } = await world.request();
    world.custody.script = ['accept_other_amount'];
    expect(await process(withdrawalId)).toMatchObject({ kind: 'doubt_found' });
    expect(await attempts(withdrawalId)).toMatchObject([{ outcome: 'in_doubt' }, { outcome: 'found' }]);
  });

  const later: readonly CreateScript[] = ['maintenance', 'rate_limited', 'short_of_funds'];
  it.each(later)('%s: the row waits as queued, and the same bytes go out later', async (script) => {
    const { withdrawalId } = await world.request();
    world.custody.script = [script];
    expect(await process(withdrawalId)).toMatchObject({ kind: 'queued_again' });
    const row = await world.row(withdrawalId);
    expect(row.status).toBe('queued');
    expect(row.wait_reason).not.toBeNull();
    world.tools.breaker.noteAnswer();
    await world.makeDue(withdrawalId);
    expect(await process(withdrawalId)).toMatchObject({ kind: 'submitted' });
    const hashes = world.custody.creates.map((seen) => seen.bodySha256);
    expect(new Set(hashes).size).toBe(1);
    expect(hashes).toHaveLength(2);
  });

  it('refused credentials stop sending for all, fail nobody, and sending goes on with the same keys (EC66)', async () => {
    const { withdrawalId } = await world.request();
    const other = await world.request();
    world.custody.script = ['unauthorized'];
    await process(withdrawalId);
    expect(await process(other.withdrawalId)).toMatchObject({ kind: 'waiting' });
    expect(await world.row(other.withdrawalId)).toMatchObject({ status: 'queued', wait_reason: 'sending_stopped' });
    expect(world.custody.creates).toHaveLength(1);
    const { resumeSendingWhenWell } = await import('#server/withdrawals/resume-sending-when-well.ts');
    expect(await resumeSendingWhenWell(world.tools)).toEqual({ resumed: true });
    world.tools.breaker.noteAnswer();
    for (const { withdrawalId: id } of [{ withdrawalId }, other]) {
      await world.makeDue(id);
      expect(await process(id)).toMatchObject({ kind: 'submitted' });
    }
  });
});

describe('a late result', () => {
  it('without proof changes nothing under an older fence and is kept beside its attempt (EC38, EC58)', async () => {
    const { withdrawalId, key } = await world.request();
    const send = await claim(withdrawalId);
    // Another worker finds the row overdue and resolves it: custody has the transfer by then.
    await world.tools.custody.createTransfer({ key, body: send.body });
    await world.makeDue(withdrawalId);
    await process(withdrawalId);
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'submitted' });
    world.custody.script = ['refuse_and_forget'];
    const result = await submitWithdrawal(world.tools, { send, tries: 0 });
    expect(result).toEqual({ kind: 'late' });
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'submitted' });
    expect((await attempts(withdrawalId))[0]).toMatchObject({ outcome: null, late_outcome: 'refused' });
  });

  it('that proves a transfer advances the row whatever its fence', async () => {
    const { withdrawalId, key } = await world.request();
    const send = await claim(withdrawalId);
    await world.makeDue(withdrawalId);
    await process(withdrawalId);
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'in_doubt', fence: '2' });
    expect(await submitWithdrawal(world.tools, { send, tries: 0 })).toEqual({ kind: 'late' });
    expect(await world.row(withdrawalId)).toMatchObject({
      status: 'submitted',
      transfer_id: world.custody.transferOf(key).id,
    });
  });

  it('that proves a transfer after an end opens a case once and stops the customer, and the row does not turn round', async () => {
    const { withdrawalId } = await world.request();
    const send = await claim(withdrawalId);
    world.custody.script = ['refuse_and_keep'];
    await world.tools.custody.createTransfer({ key: send.expected.reference, body: send.body });
    await world.makeDue(withdrawalId);
    expect(await process(withdrawalId)).toMatchObject({ kind: 'doubt_refused' });
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'failed', failure_code: 'address_rejected' });
    // Custody pays after all, against its own word.
    world.custody.transfers.delete(send.expected.reference);
    await submitWithdrawal(world.tools, { send, tries: 0 });
    expect(await world.row(withdrawalId)).toMatchObject({ status: 'failed' });
    const cases = await world.rows('select kind from cases where withdrawal_id = $1', [withdrawalId]);
    expect(cases).toEqual([{ kind: 'transfer_after_end' }]);
    const next = await world.request().catch((error: Error) => error);
    expect(String(next)).toContain('customer_frozen');
    await world.rows('update customers set payouts_stopped_at = null');
  });
});
