import { durationText } from '../../../_components/duration-text.ts';
import type { OperatorWords } from '../../../_words/en-operator.ts';
import type { RoomWords } from '../../../_words/en-operator-room.ts';
import type { Overview } from './room-types.ts';

const since = (seconds: number | null) => durationText(seconds ?? 0);

export type Alarm = { tone: 'bad' | 'warn'; text: string; href: string };

/** A wake-up goes to the queue within seconds; a minute late somebody should know. */
const BACKLOG_MAX_MS = 60_000;
/** The slowest network we read has a block in less. */
const CHAIN_SILENT_MAX_SECONDS = 300;

/** Everything that is wrong now, worst first, each with the page on which something can be done about it. */
export function findAlarms(overview: Overview, words: { room: RoomWords; operator: OperatorWords }): Alarm[] {
  const { alarms, invariants } = words.room;
  const bad: Alarm[] = [];
  const warn: Alarm[] = [];
  if (overview.stopped !== null) {
    bad.push({ tone: 'bad', text: alarms.stopped(overview.stopped.reason), href: '/operator/reconciliation' });
  }
  for (const { name, violations } of overview.invariants) {
    if (violations === null || violations === 0) continue;
    const isMoney = name !== 'unresolved';
    const href = name === 'ledger' ? '/operator/ledger' : isMoney ? '/operator/reconciliation' : '/operator/in-doubt';
    const alarm = { text: alarms.invariant(invariants[name], violations), href };
    if (isMoney) bad.push({ tone: 'bad', ...alarm });
    else warn.push({ tone: 'warn', ...alarm });
  }
  if (!overview.custodyAnswers) bad.push({ tone: 'bad', text: alarms.custody, href: '/operator/in-doubt' });
  if (overview.queue === null) bad.push({ tone: 'bad', text: alarms.redis, href: '/operator/queues' });
  for (const { network, halted, silentSeconds } of overview.chains) {
    const href = '/operator/reconciliation';
    if (halted !== null) bad.push({ tone: 'bad', text: alarms.halted(network, halted), href });
    else if (silentSeconds > CHAIN_SILENT_MAX_SECONDS) {
      warn.push({ tone: 'warn', text: alarms.chainSilent(network, durationText(silentSeconds)), href });
    }
  }
  for (const { status, overdue, oldestSeconds, limitSeconds } of overview.statuses) {
    if (!overdue || oldestSeconds === null || limitSeconds === null) continue;
    const text = alarms.overdue(words.operator.status[status], durationText(oldestSeconds), durationText(limitSeconds));
    warn.push({ tone: 'warn', text, href: `/operator/withdrawals?status=${status}` });
  }
  const parked = overview.statuses.reduce((sum, one) => sum + one.parked, 0);
  if (parked > 0)
    warn.push({
      tone: 'warn',
      text: alarms.parked(parked, since(overview.oldestSeconds.parked)),
      href: '/operator/in-doubt',
    });
  if (overview.outbox.oldestMs > BACKLOG_MAX_MS) {
    const text = alarms.outbox(durationText(overview.outbox.oldestMs / 1000));
    warn.push({ tone: 'warn', text, href: '/operator/queues' });
  }
  if (overview.inbox.oldestMs > BACKLOG_MAX_MS) {
    warn.push({
      tone: 'warn',
      text: alarms.inbox(durationText(overview.inbox.oldestMs / 1000)),
      href: '/operator/queues',
    });
  }
  if (overview.invariants.some(({ stale, violations }) => stale || violations === null)) {
    warn.push({ tone: 'warn', text: alarms.uncounted, href: '/operator' });
  }
  if (overview.openCases > 0) {
    warn.push({
      tone: 'warn',
      text: alarms.cases(overview.openCases, since(overview.oldestSeconds.cases)),
      href: '/operator/cases',
    });
  }
  if (overview.openFindings > 0) {
    warn.push({
      tone: 'warn',
      text: alarms.findings(overview.openFindings, since(overview.oldestSeconds.findings)),
      href: '/operator/reconciliation',
    });
  }
  if (overview.openSwitches > 0) {
    warn.push({
      tone: 'warn',
      text: alarms.switches(overview.openSwitches, since(overview.oldestSeconds.switches)),
      href: '/operator/switches',
    });
  }
  return [...bad, ...warn];
}
