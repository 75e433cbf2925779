import { findTrialBalance } from '#server/ledger/find-trial-balance.ts';
import { findFlow } from '#server/operator/find-flow.ts';
import { findOverview } from '#server/operator/find-overview.ts';
import { sweepDueWithdrawals } from '#server/outbox/sweep-due-withdrawals.ts';
import { readProtocolTimes } from '#server/protocol-times.ts';
import { findDueDoubtsSql } from '#server/sql/find-due-doubts.sql.ts';
import { findWaitingEventsSql } from '#server/sql/find-waiting-events.sql.ts';
import { leaseOutboxSql } from '#server/sql/lease-outbox.sql.ts';
import { findAllWithdrawals } from '#server/withdrawals/find-all-withdrawals.ts';
import type { AssetCatalogue } from '#server/withdrawals/find-asset-catalogue.ts';
import { findEvidence } from '#server/withdrawals/find-evidence.ts';
import { findWithdrawals } from '#server/withdrawals/find-withdrawals.ts';
import type { BenchHouse } from '../harness/bench-house.ts';

/** Rows to look for, picked from all over the history. */
export interface Sample {
  readonly id: string;
  readonly customer_id: string;
  readonly address: string;
  readonly transaction_hash: string;
}

export interface Looked {
  readonly house: BenchHouse;
  readonly catalogue: AssetCatalogue;
  /** Another one at each look. */
  next(): Sample;
}

const PAGE = 50;
const times = readProtocolTimes('production');
const NO_FILTER = { statuses: null, asset: null, network: null, from: null, until: null, search: null };

const theirs = ({ house: { db }, next }: Looked, more: object) => {
  const { customer_id: customerId } = next();
  return findWithdrawals({ db }, { customerId, cursor: null, limit: PAGE, ...NO_FILTER, ...more });
};
const everybodys = ({ house: { db }, catalogue }: Looked, more: object) =>
  findAllWithdrawals(
    { db },
    { cursor: null, limit: PAGE, statuses: null, search: null, sort: 'newest', catalogue, ...more },
  );

/** Whatever a page or a loop asks for, again and again, however long the history is. */
export const LOOKS: Readonly<Record<string, (looked: Looked) => Promise<unknown>>> = {
  "a customer's list": (looked) => theirs(looked, {}),
  "a customer's list, far down": (looked) => {
    const { id, customer_id: customerId } = looked.next();
    const { db } = looked.house;
    return findWithdrawals({ db }, { customerId, cursor: id, limit: PAGE, ...NO_FILTER });
  },
  "a customer's list of one status": (looked) => theirs(looked, { statuses: ['completed'] }),
  "a customer's search": (looked) => {
    const { address, customer_id: customerId } = looked.next();
    const { db } = looked.house;
    return findWithdrawals({ db }, { customerId, cursor: null, limit: PAGE, ...NO_FILTER, search: address });
  },
  "everybody's list": (looked) => everybodys(looked, {}),
  "everybody's list, far down": (looked) => everybodys(looked, { cursor: looked.next().id }),
  "everybody's list, worst first": (looked) => everybodys(looked, { sort: 'worst_first' }),
  "everybody's list of one status": (looked) => everybodys(looked, { statuses: ['completed'] }),
  'a search by id': (looked) => everybodys(looked, { search: looked.next().id }),
  'a search by address': (looked) => everybodys(looked, { search: looked.next().address }),
  'a search by transaction': (looked) => everybodys(looked, { search: looked.next().transaction_hash }),
  'a search by customer': (looked) => everybodys(looked, { search: looked.next().customer_id }),
  'a search that finds nothing': (looked) => everybodys(looked, { search: 'nobody-was-ever-called-so' }),
  'one withdrawal with its evidence': ({ house: { db }, next }) => findEvidence({ db }, { withdrawalId: next().id }),
  'the overview': ({ house: { db } }) => findOverview({ db, room: undefined }),
  'the charts of a day': ({ house: { db } }) => findFlow({ db }, { span: 'day' }),
  'the sweep of due rows': ({ house: { db } }) => sweepDueWithdrawals({ db, times }),
  'the sweep of doubts': ({ house: { db } }) => db.query(findDueDoubtsSql, [50]),
  'the sweep of the inbox': ({ house: { db } }) => db.query(findWaitingEventsSql, ['custody', null, 50]),
  'the sweep of the outbox': ({ house: { db } }) => db.query(leaseOutboxSql, [null, 200, 0]),
  'the trial balance': ({ house: { db } }) => findTrialBalance({ db }),
};
