import type { Mutant } from './mutant.ts';

const RESEND_RULE = 'server/domain/resend-rule.ts';
const RESOLVE_TEST = 'server/withdrawals/resolve-in-doubt-withdrawal.integration.test.ts';
const FIRST_MIGRATION = 'prisma/migrations/20261130000000_first_withdrawal/migration.sql';
const GUARD_MIGRATION = 'prisma/migrations/20261201041000_fewer_looks_a_move/migration.sql';
const ACCEPT_MIGRATION = 'prisma/migrations/20261201040000_judged_at_one_look/migration.sql';

/** Sabotage by hand: what somebody in a hurry might do to the protocol. Each must be killed by a test that names the promise. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: 'a key per attempt',
    harm: 'custody sees every send as another transfer',
    patches: [
      {
        file: 'server/withdrawals/submit-withdrawal.ts',
        find: 'createTransfer({ key: send.expected.reference,',
        put: 'createTransfer({ key: crypto.randomUUID(),',
      },
    ],
    test: {
      file: RESOLVE_TEST,
      named:
        'a row in doubt is sent again after the quiet period with the same bytes under the same key, each send an attempt row (EC47, EC61, EC68, CU09, CU16)',
    },
  },
  {
    name: 'no fence',
    harm: 'a worker that slept writes over what was decided meanwhile',
    patches: [
      {
        file: 'server/sql/answer-transition.sql.ts',
        find: "where w.id = $1 and w.fence = $2 and w.status = 'dispatching' for update",
        put: "where w.id = $1 and $2::bigint is not null and w.status = 'dispatching' for update",
      },
      {
        file: 'server/sql/answer-transition.sql.ts',
        find: 'a.attempt = $3 and a.fence = $2 and a.outcome is null',
        put: 'a.attempt = $3 and a.outcome is null',
      },
    ],
    test: {
      file: 'e2e/mutants/older-fence.integration.test.ts',
      named: 'an answer to an older send changes nothing while a newer one is under way, and is kept beside its own',
    },
  },
  {
    name: 'a time-out is a failure',
    harm: 'money is given back for a transfer that was made',
    patches: [
      {
        file: 'server/domain/custody-outcome.ts',
        find: "return doubt('no_answer', detail);",
        put: "return { kind: 'refused', code: 'timeout', detail };",
      },
    ],
    test: {
      file: 'server/domain/custody-outcome.test.ts',
      named: 'not sent EC46, CU01 a-b: TimeoutError after a byte was handed over is in doubt, whatever its name',
    },
  },
  {
    name: 'not found is a failure',
    harm: 'money is given back while the transfer is on its way',
    patches: [
      {
        file: RESEND_RULE,
        find: "if (lookUp.begunAtMs < quietUntilMs) return wait('quiet_period', quietUntilMs);\n  const absence",
        put: "if (lookUp.begunAtMs < quietUntilMs) return refusalFinal('not_found', 'absence_proved_after_refusal');\n  const absence",
      },
    ],
    test: {
      file: 'server/domain/resend-rule.test.ts',
      named: 'not found EC47, EC51: inside the quiet period it means nothing; at its end the same bytes go again',
    },
  },
  {
    name: 'a refusal is always final',
    harm: 'an earlier copy of the same bytes is carried out after the money was given back',
    patches: [
      {
        file: RESEND_RULE,
        find: "if (absenceProved) return refusalFinal(code, 'absence_proved_after_refusal');",
        put: "if (absenceProved || code !== '') return refusalFinal(code, 'absence_proved_after_refusal');",
      },
    ],
    test: {
      file: RESOLVE_TEST,
      named: 'a row in doubt does not end by a refused answer that no look-up shows, until absence is proved (EC57)',
    },
  },
  {
    name: 'a kept refusal is believed from the answer',
    harm: 'the refused copy is not the one that custody keeps under the reference',
    patches: [
      {
        file: RESEND_RULE,
        find: "if (capabilities.refusalsKept) return review('refusal_without_proof', code);",
        put: "if (capabilities.refusalsKept) return refusalFinal(code, 'recorded_under_reference');",
      },
    ],
    test: {
      file: 'server/domain/resend-rule.test.ts',
      named:
        'a refused answer of a custody that keeps no refusals and honours no not-after: refusals are kept, and this one is not',
    },
  },
  {
    name: 'new bytes when sending again',
    harm: 'custody no longer recognises the request, and its not-after moves',
    patches: [
      {
        file: 'server/withdrawals/resend-withdrawal.ts',
        find: 'attempt: moved.attempt, ...lastBytes };',
        put: "attempt: moved.attempt, ...lastBytes, body: Buffer.concat([lastBytes.body, Buffer.from(' ')]) };",
      },
    ],
    test: {
      file: RESOLVE_TEST,
      named:
        'a row in doubt is sent again after the quiet period with the same bytes under the same key, each send an attempt row (EC47, EC61, EC68, CU09, CU16)',
    },
  },
  {
    name: 'a claim is released without being compared',
    harm: 'a slow worker opens the door for a third while the second is at work',
    patches: [
      {
        file: 'server/queue/withdrawal-claim.ts',
        find: "if not ok or type(value) ~= 'table' or value.token ~= ARGV[1] then return 0 end",
        put: "if not ok or type(value) ~= 'table' then return 0 end",
      },
    ],
    test: {
      file: 'server/withdrawals/claim-withdrawal.integration.test.ts',
      named: 'a Redis claim that ran out and was taken by another is not released by its first holder (EC39)',
    },
  },
  {
    name: 'a job id without the number of its wake-up',
    harm: 'every wake-up after the first is silently ignored',
    patches: [
      {
        file: 'server/queue/job-catalog.ts',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of the code that is looked for.
        find: '`${wakeUp.withdrawalId}-${wakeUp.outboxId}`',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of the code that is put there.
        put: '`${wakeUp.withdrawalId}-wake`',
      },
    ],
    test: {
      file: 'e2e/mutants/job-id.test.ts',
      named: 'another number is another job, and the same number is the same job',
    },
  },
  {
    name: 'a duplicate is a refusal',
    harm: 'the answer that says "it is there already" gives the money back',
    patches: [
      {
        file: 'server/domain/custody-outcome.ts',
        find: 'if (Object.hasOwn(DOUBT_CODES, code)) return',
        put: "if (code === 'duplicate_reference') return { kind: 'refused', code, detail: '' };\n  if (Object.hasOwn(DOUBT_CODES, code)) return",
      },
    ],
    test: {
      file: 'server/domain/custody-outcome.test.ts',
      named: 'in doubt CU12: a duplicate names the transfer to look up, and proves nothing by it',
    },
  },
  {
    name: 'two signatures on a bare not-found',
    harm: 'two people give money back that an attempt may still pay',
    patches: [
      {
        file: ACCEPT_MIGRATION,
        find: "if new.status = 'failed' and old.status in ('dispatching', 'in_doubt') then",
        put: "if false and new.status = 'failed' and old.status in ('dispatching', 'in_doubt') then",
      },
    ],
    test: {
      file: 'prisma/guards/withdrawal-guards.integration.test.ts',
      named: 'how a withdrawal moves withdrawals_failed_needs_proof: unknown is not failed',
    },
  },
  {
    name: 'queued again after an ambiguous attempt',
    harm: 'what may have been sent can be cancelled',
    patches: [
      {
        file: GUARD_MIGRATION,
        find: "if new.status = 'queued' and old.status in ('dispatching', 'in_doubt') then",
        put: "if false and new.status = 'queued' and old.status in ('dispatching', 'in_doubt') then",
      },
    ],
    test: {
      file: 'prisma/guards/withdrawal-guards.integration.test.ts',
      named:
        'how a withdrawal moves withdrawals_queued_needs_every_attempt_unsent: a row that may be cancelled has nothing under way',
    },
  },
  {
    name: 'the hold before the row',
    harm: 'what is held for a request that came second is held for nobody and never given back',
    patches: [
      {
        file: ACCEPT_MIGRATION,
        find: "select d.asset_id, 'hold', d.id, v_now from added d",
        put: "select d.asset_id, 'hold', d.id, v_now from unnest(v_rows) d",
      },
      {
        file: ACCEPT_MIGRATION,
        find: 'from moved t join added d on d.id = t.source_id',
        put: 'from moved t join unnest(v_rows) d on d.id = t.source_id',
      },
      // A hold without its row is refused at commit as well, and one protection would hide the other.
      {
        file: FIRST_MIGRATION,
        find: 'for each row execute function ledger_transfers_guard();',
        put: 'for each row when (false) execute function ledger_transfers_guard();',
      },
    ],
    test: {
      file: 'server/withdrawals/acceptance-batch.integration.test.ts',
      named: 'of two customers under one key at once the second holds nothing, though its own lock let it through',
    },
  },
  {
    name: 'answered before it is committed',
    harm: 'custody forgets an event that we never stored',
    patches: [
      {
        file: 'server/inbox/receive-webhook.ts',
        find: 'const outcome = (await storeOnce(deps.db, values)) ?? (await storeOnce(deps.db, values));',
        put: "void storeOnce(deps.db, values).catch(() => undefined);\n  const outcome: string = 'stored';",
      },
    ],
    test: {
      file: 'server/inbox/process-inbox.integration.test.ts',
      named: 'a delivery is stored once, however often it comes at once (EC74, WH05)',
    },
  },
  {
    name: 'the last fact in place of the furthest',
    harm: 'what is on the network moves again with every event that comes late or twice',
    patches: [
      {
        file: 'server/withdrawals/apply-custody-event.ts',
        find: "status !== 'submitted' || hash === null",
        put: "(status !== 'submitted' && status !== 'broadcast') || hash === null",
      },
      {
        file: 'server/sql/broadcast-transition.sql.ts',
        find: 'where w.id = q.id and w.status = q.status',
        put: "where w.id = q.id and w.status in (q.status, 'broadcast')",
      },
    ],
    test: {
      file: 'server/inbox/apply-events.integration.test.ts',
      named:
        'the events of a transfer in five hundred random orders give one final row, and with a final failure among them that row or a case (EC75)',
    },
  },
  {
    name: 'the index of the log in place of its place in the receipt',
    harm: 'after a reorg one payment is two',
    patches: [
      {
        file: 'server/chain/chain-wire.ts',
        find: 'readTokenTransfer(log, position + 1)',
        put: 'readTokenTransfer(log, Number(log.logIndex) + 1)',
      },
    ],
    test: {
      file: 'server/chain/chain-wire.test.ts',
      named:
        'a block counts each receipt from its own first log, so that a reorg which moves a transaction moves no transfer',
    },
  },
  {
    name: 'a payment compared with the row from before the lock',
    harm: 'two indexers make one payment look like two, and the asset is paused',
    patches: [
      {
        file: 'server/sql/take-final-effect.sql.ts',
        find: 'e.amount_minor, e.block_number,',
        put: 'e.amount_minor, e.block_number, w.completing_effect_id,',
      },
      {
        file: 'server/withdrawals/apply-chain-event.ts',
        find: 'if (row.completingEffectId === effect.id)',
        put: "if (Reflect.get(effect, 'completing_effect_id') === effect.id)",
      },
    ],
    test: {
      file: 'server/chain/index-blocks.integration.test.ts',
      named:
        'a payment on the chain is settled once, and opens no case, when two indexers reach its finality at the same moment',
    },
  },
];
