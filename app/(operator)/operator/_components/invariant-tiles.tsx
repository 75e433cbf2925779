import { CircleCheck, CircleHelp, CircleX } from 'lucide-react';
import { durationText } from '../../../_components/duration-text.ts';
import { TimeText } from '../../../_components/time-text.tsx';
import { classNames } from '../../../_components/ui/class-names.ts';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import type { Invariant } from './room-types.ts';

/** Each promise with how many break it, and when that was counted. Zero is green, anything else red, not counted amber. */
export function InvariantTiles({ invariants }: { invariants: Invariant[] }) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fit,minmax(11rem,1fr))] gap-2.5">
      {invariants.map((invariant) => (
        <Tile key={invariant.name} invariant={invariant} />
      ))}
    </ul>
  );
}

const LOOKS = {
  kept: { look: 'border-good/30 bg-good-soft', ink: 'text-good', icon: CircleCheck },
  broken: { look: 'border-bad/40 bg-bad-soft', ink: 'text-bad', icon: CircleX },
  unknown: { look: 'border-warn/40 bg-warn-soft', ink: 'text-warn', icon: CircleHelp },
};

function Tile({ invariant }: { invariant: Invariant }) {
  const room = useRoomWords();
  const { name, violations, ageSeconds, stale, counted, examples, brokenAt, checkedAt } = invariant;
  const state = violations !== null && violations > 0 ? 'broken' : violations === null || stale ? 'unknown' : 'kept';
  const { look, ink, icon: Icon } = LOOKS[state];
  const age =
    ageSeconds === null ? room.overview.notChecked : room.overview.lastCheck(durationText(Math.max(0, ageSeconds)));
  return (
    <li data-testid={`invariant-${name}`} data-state={state} className={classNames('rounded-xl border p-4', look)}>
      <p className={classNames('flex items-center gap-2 font-semibold text-3xl tabular-nums', ink)}>
        <Icon aria-hidden="true" className="size-6" />
        {violations ?? '?'}
      </p>
      <p className="font-medium text-sm">{room.invariants[name]}</p>
      <p className="text-ink/80 text-xs">
        {age}
        {counted !== null && ` ${room.overview.of(counted)}`}
      </p>
      {checkedAt !== null && violations === null && <p className="text-xs">{room.overview.uncounted}</p>}
      {checkedAt !== null && stale && <p className="text-xs">{room.overview.staleCheck}</p>}
      {state !== 'broken' && brokenAt !== null && (
        <p className="text-xs">
          {room.overview.brokenBefore('')}
          <TimeText at={brokenAt} />
        </p>
      )}
      {examples.map((example) => (
        <p key={example} className="break-all font-mono text-xs">
          {example}
        </p>
      ))}
    </li>
  );
}
