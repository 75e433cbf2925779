import { type Act, type ActTools, cancel, click, ENDS, reach, reachMove } from './act.ts';

type Fault = { kind: string } & Record<string, unknown>;

/** One withdrawal whose requests meet these faults and nobody else's. */
async function clickInto(tools: ActTools, act: string, faults: readonly Fault[]): Promise<string> {
  const key = tools.random.uuid();
  for (const fault of faults) await tools.world.custody.setFault({ ...fault, externalId: key });
  await click(tools, { act, key });
  return key;
}

const faultyStep = (from: string, to: string, faults: readonly Fault[]): Act => ({
  name: `${from} to ${to}`,
  run: async (tools) => {
    // Two facts that come at once may be seen as one: then the row takes another way, and the next one is watched.
    for (let tried = 1; tried <= TRIES; tried += 1) {
      const key = await clickInto(tools, `${from} to ${to}`, faults);
      if (await hasMade(tools, key, from, to)) return;
    }
    throw new Error(`none of ${TRIES} made the step`);
  },
});

/** Whether the row of a key makes this step before its end. */
async function hasMade(tools: ActTools, key: string, from: string, to: string): Promise<boolean> {
  const looks = { made: false };
  await reach(tools, key, ({ status, moves }) => {
    looks.made = moves.includes(`${from} ${to}`);
    return looks.made || ENDS.has(status);
  });
  return looks.made;
}

const TRIES = 5;
// Longer than the proof's not-after of 10 s: what was not found by then is proved absent.
const PAST_NOT_AFTER_MS = 12_000;
// Longer than a block and three looks of ours.
const HELD_BACK_MS = 5_000;

/** Each step that custody and the network can bring about, once for certain. */
export const NAMED_STEPS: readonly Act[] = [
  faultyStep('in_doubt', 'submitted', [{ kind: 'execute_then_drop', count: 1 }]),
  faultyStep('in_doubt', 'dispatching', [{ kind: 'error_before', count: 1 }]),
  faultyStep('in_doubt', 'failed', [{ kind: 'reject', count: 1 }]),
  faultyStep('in_doubt', 'queued', [
    { kind: 'error_before', count: 1 },
    { kind: 'lookup_error', forMs: PAST_NOT_AFTER_MS },
  ]),
  faultyStep('submitted', 'failed', [{ kind: 'fail_after_accept', count: 1 }]),
  faultyStep('broadcast', 'failed', [{ kind: 'revert_on_chain', count: 1 }]),
  {
    name: 'dispatching to queued',
    run: async (tools) => {
      // A connection that is refused is the only proof that nothing was sent.
      tools.world.proxies.custody.cut(3_000);
      const { idempotencyKey } = await click(tools, { act: 'dispatching to queued' });
      await reachMove(tools, idempotencyKey, 'dispatching', 'queued');
    },
  },
  {
    name: 'queued to cancelled',
    run: async (tools) => {
      await tools.keeper.without(['worker', 'worker-2'], async () => {
        const intent = await click(tools, { act: 'queued to cancelled' });
        await cancel(tools, intent);
      });
    },
  },
  {
    name: 'submitted to completed',
    run: async (tools) => {
      // We learn the hash and nothing more: custody's events are lost, and then it does not answer until the chain is final.
      const key = await clickInto(tools, 'submitted to completed', [
        { kind: 'webhook_lost', share: 1 },
        { kind: 'stuck', count: 1, delayMs: HELD_BACK_MS },
      ]);
      await reach(tools, key, ({ status, hashes }) => status === 'submitted' && hashes > 0, { blocks: 0 });
      tools.world.proxies.custody.cut(HELD_BACK_MS + 10_000);
      await reachMove(tools, key, 'submitted', 'completed');
    },
  },
];
