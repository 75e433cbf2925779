import type { Contestant, Group, Turn } from './contestant.ts';

/** The turns of each contestant, by name; turn n of one and turn n of another were neighbours. */
export type Rounds = ReadonlyMap<string, readonly Turn[]>;

/**
 * Everybody's turn in every round, so that whatever else the machine does meets all of them. Whoever begins changes from round
 * to round. Everybody's first turn warms up and does not count: what is measured is who runs all day, and not who has just started.
 */
export async function runRounds(
  deps: { log: (line: string) => void; signal: AbortSignal },
  input: { group: Group; rounds: number; turnMs: number },
): Promise<Rounds> {
  const { group } = input;
  const turns = new Map<string, Turn[]>(group.contestants.map(({ name }) => [name, []]));
  for (const contestant of group.contestants) await contestant.run(input.turnMs);
  for (let round = 0; round < input.rounds; round += 1) {
    await group.tidy?.();
    for (const contestant of rotate(group.contestants, round)) {
      deps.signal.throwIfAborted();
      const turn = await contestant.run(input.turnMs);
      turns.get(contestant.name)?.push(turn);
      const each = Object.entries(turn.cpuMs).map(([name, ms]) => `${name} ${(ms / turn.operations).toFixed(2)} ms`);
      const rate = Math.round(turn.operations / turn.seconds);
      deps.log(`${group.name}, round ${round + 1}: ${contestant.name} ${rate}/s, CPU each: ${each.join(', ')}`);
    }
  }
  return turns;
}

function rotate(list: readonly Contestant[], by: number): Contestant[] {
  const at = by % list.length;
  return [...list.slice(at), ...list.slice(0, at)];
}
