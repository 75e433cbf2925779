import { setTimeout as delay } from 'node:timers/promises';
import type { CustodySettings } from '../custody-settings.ts';
import type { FaultSwitches } from '../fault-switches.ts';
import { problem } from '../problem.ts';
import { answered, type Reply } from './reply.ts';

/** How a look-up is to be answered: from which moment's state, from nothing at all, or not. */
export async function readPoint(
  deps: { settings: CustodySettings; faults: FaultSwitches },
  input: { externalId: string | undefined },
): Promise<{ kind: 'read'; lagMs: number; hidden: boolean } | { kind: 'reply'; reply: Reply }> {
  const lagMs = deps.settings.profile().rules.readLagMs;
  const fault = await deps.faults.take('read', { externalId: input.externalId });
  switch (fault?.kind) {
    case 'lookup_error':
      return { kind: 'reply', reply: answered(problem(500, 'internal_error')) };
    case 'lookup_404':
      return { kind: 'read', lagMs, hidden: true };
    case 'lookup_lag':
      return { kind: 'read', lagMs: Math.max(lagMs, fault.delayMs), hidden: false };
    case 'lookup_slow':
      await delay(fault.delayMs);
      return { kind: 'read', lagMs, hidden: false };
    default:
      return { kind: 'read', lagMs, hidden: false };
  }
}
