import { checkCustomers } from '#e2e/proof/checker/check-customers.ts';
import { checkPayments } from '#e2e/proof/checker/check-payments.ts';
import { checkRows } from '#e2e/proof/checker/check-rows.ts';
import type { Facts } from '#e2e/proof/checker/facts.ts';
import { gatherFacts } from '#e2e/proof/checker/gather-facts.ts';
import type { Violation } from '#e2e/proof/checker/violation.ts';
import { goOnDuty } from '#e2e/proof/people/go-on-duty.ts';
import { openStaff } from '#e2e/proof/people/staff.ts';
import { settle } from '#e2e/proof/settle.ts';
import type { CommandWorld } from './world.ts';

const ENDED_WITHIN_MS = 90_000;

/** Mends everything, waits for the ends, and compares the four books as far as they speak of this customer. */
export async function judgeWorld(world: CommandWorld, input: { wallet: string }): Promise<readonly Violation[]> {
  const { stage, customer, history } = world;
  const { books } = stage;
  await stage.custody.clearFaults();
  await stage.ask(`update protocol_settings set clock_offset = '0'`);
  await stage.stop('worker');
  await stage.start('worker', {});

  const signal = new AbortController().signal;
  const staff = await openStaff({ world: books, history }, { teamSize: 2, uuid: () => crypto.randomUUID() });
  const duty = goOnDuty(staff, { log: () => undefined });
  const open = await settle(books, { until: 'ended', withinMs: ENDED_WITHIN_MS, signal });
  await duty.stop();
  const facts = await gatherFacts(books, { history, customers: [customer], wallet: input.wallet });
  const own = ofCustomer(facts, world);
  return [
    ...open
      .filter(({ id }) => own.withdrawals.some((row) => row.id === id))
      .map(
        ({ id, status, waitReason }): Violation => ({
          promise: 'nothing is left unresolved',
          about: id,
          detail: `${status} ${waitReason}`,
        }),
      ),
    ...own.withdrawals
      .filter(({ parkedReason, status }) => parkedReason !== null && status !== 'completed' && status !== 'failed')
      .map(
        ({ id, parkedReason }): Violation => ({
          promise: 'review only where nothing else is left',
          about: id,
          detail: parkedReason ?? '',
        }),
      ),
    ...checkPayments(own).violations,
    ...checkCustomers(own, history).violations,
    ...checkRows(own),
  ];
}

/** Other tests' withdrawals on the same stack are judged by those tests. */
function ofCustomer(facts: Facts, { customer, history }: CommandWorld): Facts {
  const withdrawals = facts.withdrawals.filter(({ customerId }) => customerId === customer.customerId);
  const ids = new Set(withdrawals.map(({ id }) => id));
  const keys = new Set<string | null>(history.intents.map(({ idempotencyKey }) => idempotencyKey));
  const addresses = new Set(history.intents.map(({ body }) => body.address));
  const ofRow = ({ withdrawalId }: { withdrawalId: string }) => ids.has(withdrawalId);
  const transfers = new Set(
    facts.custodyLog.filter(({ externalId }) => keys.has(externalId)).map(({ transferId }) => transferId),
  );
  return {
    ...facts,
    withdrawals,
    history: facts.history.filter(ofRow),
    attempts: facts.attempts.filter(ofRow),
    custodyLog: facts.custodyLog.filter(
      ({ externalId, transferId }) => keys.has(externalId) || (transferId !== null && transfers.has(transferId)),
    ),
    custodyRequests: facts.custodyRequests.filter(({ externalId }) => keys.has(externalId)),
    chain: facts.chain.filter(({ address }) => addresses.has(address)),
  };
}
