import { FAULT_POINTS, type FaultPoint } from '#server/fault-points.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { KeptProcess } from './keep-alive.ts';

/** What the web process comes by: acceptance, its own relay, the webhook's door and the inbox beside it. */
const WEB_POINTS: ReadonlySet<FaultPoint> = new Set(['C1', 'C2', 'C3', 'C4', 'W1', 'W2', 'W3']);
/** Where only the web process comes. */
const WEB_ONLY: ReadonlySet<FaultPoint> = new Set(['C1', 'C2', 'W1', 'W2']);
const PAUSE_MS = 2_000;
// At first among the first visits, so that every point is struck in every way after a few starts. Later a process may live a little:
// one that ends itself at every tenth request would be the only fault that a long run shows.
const VISITS_FIRST = 12;
const VISITS_LATER = 120;

/**
 * Gives each starting process two points that throw, one that stops it and one that kills it, in turn, so that after a few
 * starts every point was struck in every way.
 */
export function createFaultPointRules(random: SeededRandom): (name: KeptProcess) => string {
  const bags = { web: createBag('web', random), worker: createBag('worker', random) };
  return (name) => {
    const draw = bags[name === 'web' ? 'web' : 'worker'];
    const rule = (kind: string, deed: string) => {
      const { point, round } = draw(kind);
      return `${point}:${deed}@${random.int(1, round === 1 ? VISITS_FIRST : VISITS_LATER)}`;
    };
    return [
      rule('throw', 'throw'),
      rule('throw', 'throw'),
      rule('stop', `stop=${PAUSE_MS}`),
      rule('kill', 'kill'),
    ].join(',');
  };
}

function createBag(
  role: 'web' | 'worker',
  random: SeededRandom,
): (deed: string) => { readonly point: FaultPoint; readonly round: number } {
  const points = FAULT_POINTS.filter((point) => (role === 'web' ? WEB_POINTS.has(point) : !WEB_ONLY.has(point)));
  const bags = new Map<string, { left: FaultPoint[]; round: number }>();
  return (deed) => {
    const bag = bags.get(deed) ?? { left: [], round: 0 };
    bags.set(deed, bag);
    if (bag.left.length === 0) {
      bag.left = random.shuffle(points);
      bag.round += 1;
    }
    const point = bag.left.pop();
    if (point === undefined) throw new Error('no fault points');
    return { point, round: bag.round };
  };
}
