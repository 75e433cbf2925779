'use client';

import { useQuery } from '@tanstack/react-query';
import { TimeText } from '../../../_components/time-text.tsx';
import { Card } from '../../../_components/ui/card.tsx';
import { usePerson } from '../../../_session/person-context.tsx';
import { useTRPC, useTRPCClient } from '../../../_trpc/trpc-provider.tsx';
import { useRoomWords } from '../../../_words/use-room-words.ts';
import { useWords } from '../../../_words/use-words.ts';
import { Cell, DataTable } from './data-table.tsx';
import { Deed } from './deed.tsx';
import { EmptyNote } from './empty-note.tsx';
import { LiveHeading } from './live-heading.tsx';
import { PauseForm } from './pause-form.tsx';
import type { PayoutSwitch } from './room-types.ts';
import { useReadsOnly } from './use-reads-only.ts';

const REFRESH_MS = 4_000;

/** Pauses in force, with what may still leave, and the way out by two people. */
export function SwitchesPage() {
  const room = useRoomWords();
  const { switches } = room;
  const { code } = useWords();
  const trpc = useTRPC();
  const query = useQuery({ ...trpc.operator.switches.list.queryOptions(), refetchInterval: REFRESH_MS });
  const open = query.data?.items.filter((one) => one.resumedAt === null) ?? [];
  const past = query.data?.items.filter((one) => one.resumedAt !== null) ?? [];
  const { scope, reason, since, ended } = switches.columns;
  return (
    <>
      <LiveHeading title={room.pages.switches} lead={switches.lead} query={query} />
      <PauseForm />
      <section className="space-y-3">
        <h2 className="font-semibold">{switches.open}</h2>
        {query.data !== undefined && open.length === 0 && <EmptyNote>{switches.noneOpen}</EmptyNote>}
        {open.map((one) => (
          <OpenSwitch key={one.switchId} one={one} />
        ))}
      </section>
      {past.length > 0 && (
        <section className="space-y-3">
          <h2 className="font-semibold">{switches.past}</h2>
          <DataTable caption={switches.past} columns={[scope, reason, since, ended]} wide={false}>
            {past.map((one) => (
              <tr key={one.switchId}>
                <Cell>{one.scope === 'all' ? switches.scopes.all : `${one.scope} ${one.target}`}</Cell>
                <Cell>{code(one.reason)}</Cell>
                <Cell>
                  <TimeText at={one.pausedAt} />
                </Cell>
                <Cell>{one.resumedAt !== null && <TimeText at={one.resumedAt} />}</Cell>
              </tr>
            ))}
          </DataTable>
        </section>
      )}
    </>
  );
}

function OpenSwitch({ one }: { one: PayoutSwitch }) {
  const room = useRoomWords();
  const { switches } = room;
  const { code } = useWords();
  const { userId } = usePerson();
  const { operator } = useTRPCClient();
  const { switchId, resumeProposedBy } = one;
  const readsOnly = useReadsOnly();
  return (
    <Card
      data-testid={`switch-${one.scope}-${one.target}`}
      className="flex flex-wrap justify-between gap-4 border-warn/40"
    >
      <div className="space-y-1 text-sm">
        <p className="font-semibold text-base">
          {one.scope === 'all' ? switches.scopes.all : `${one.scope} ${one.target}`}
        </p>
        <p>{code(one.reason)}</p>
        <p className="text-muted">
          <TimeText at={one.pausedAt} />
        </p>
        <p className={one.mayStillLeave === 0 ? 'text-good' : 'font-semibold text-warn'}>
          {switches.mayLeave(one.mayStillLeave)}
        </p>
      </div>
      <div className="space-y-2">
        {resumeProposedBy === null ? (
          <Deed
            label={switches.propose}
            says={switches.proposeSays}
            blocked={readsOnly}
            run={async ({ deedId }) => {
              await operator.switches.proposeResume.mutate({ switchId, deedId });
              return switches.proposed;
            }}
          />
        ) : (
          <>
            <p className="text-sm">{switches.proposedBy}</p>
            <Deed
              label={switches.confirm}
              says={switches.confirmSays}
              tone="danger"
              confirms={{ deed: 'resume', subject: switchId }}
              blocked={readsOnly ?? (resumeProposedBy === userId ? room.secondPerson : null)}
              run={async ({ stepUp }) => {
                await operator.switches.confirmResume.mutate({ switchId, stepUp });
                return switches.resumed;
              }}
            />
          </>
        )}
      </div>
    </Card>
  );
}
