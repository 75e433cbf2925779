import { FAULT_POINTS, type FaultPoint } from '#server/fault-points.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { KeptProcess } from './keep-alive.ts';

/** What the web process comes by: acceptance, its own relay, the webhook's door and the inbox beside it. */
const WEB_POINTS: ReadonlySet<FaultPoint> = new Set(['C1', 'C2', 'C3', 'C4', 'W1', 'W2', 'W3']);
/** Where only the web process comes. */
const WEB_ONLY: ReadonlySet<FaultPoint> = new Set(['C1', 'C2', 'W1', 'W2']);
const PAUSE_MS = 2_000;

/**
 * Gives each starting process two points that throw, one that stops it and one that kills it, in turn, so that after a few
 * starts every point was struck in every way.
 */
export function createFaultPointRules(random: SeededRandom): (name: KeptProcess) => string {
  const bags = { web: createBag('web', random), worker: createBag('worker', random) };
  return (name) => {
    const bag = bags[name === 'web' ? 'web' : 'worker'];
    const visit = () => random.int(1, 12);
    return [
      `${bag('throw')}:throw@${visit()}`,
      `${bag('throw')}:throw@${visit()}`,
      `${bag('stop')}:stop=${PAUSE_MS}@${visit()}`,
      `${bag('kill')}:kill@${visit()}`,
    ].join(',');
  };
}

function createBag(role: 'web' | 'worker', random: SeededRandom): (deed: string) => FaultPoint {
  const points = FAULT_POINTS.filter((point) => (role === 'web' ? WEB_POINTS.has(point) : !WEB_ONLY.has(point)));
  const left = new Map<string, FaultPoint[]>();
  return (deed) => {
    const rest = left.get(deed) ?? [];
    const bag = rest.length > 0 ? rest : random.shuffle(points);
    const point = bag.pop();
    if (point === undefined) throw new Error('no fault points');
    left.set(deed, bag);
    return point;
  };
}
