import type { Turn } from './contestant.ts';
import { cpuTimeMs } from './cpu-time.ts';

/** Counts what `work` does and what it costs the processes named; `bench` is this one. */
export async function measure(
  processes: Readonly<Record<string, number>>,
  work: () => Promise<{ operations: number; latencyMs?: readonly number[] }>,
): Promise<Turn> {
  const before = Object.entries(processes).map(([name, pid]) => [name, cpuTimeMs(pid)] as const);
  const ownBefore = process.cpuUsage();
  const startedAt = performance.now();
  const done = await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const own = process.cpuUsage(ownBefore);
  const cpuMs: Record<string, number> = { bench: (own.user + own.system) / 1_000 };
  for (const [name, ms] of before) cpuMs[name] = cpuTimeMs(processes[name] ?? 0) - ms;
  return { ...done, seconds, cpuMs };
}

/** Keeps so many deeds in flight until the time is over. @returns how many were done */
export async function keepBusy(
  input: { inFlight: number; milliseconds: number },
  deed: () => Promise<unknown>,
): Promise<number> {
  const end = performance.now() + input.milliseconds;
  let done = 0;
  const lane = async () => {
    while (performance.now() < end) {
      await deed();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: input.inFlight }, lane));
  return done;
}
