import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of a processor that a process, its children and those of them that have ended have used so far. */
export function cpuTimeMs(pid: number): number {
  return process.platform === 'linux' ? readFromProc(pid) : readFromPs(pid);
}

// Linux counts in hundredths of a second, whatever its kernel was built with.
const MS_PER_TICK = 10;

function readFromProc(root: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const fields = readStat(name);
    if (fields === null) continue;
    const [own = 0, ended = 0] = [fields.used, fields.usedByEnded];
    if (Number(name) === root) ticks += own + ended;
    else if (fields.parent === root) ticks += own;
  }
  return ticks * MS_PER_TICK;
}

function readStat(pid: string): { parent: number; used: number; usedByEnded: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in brackets, may hold anything.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const sum = (from: number) => (fields[from] ?? 0) + (fields[from + 1] ?? 0);
    return { parent: fields[1] ?? 0, used: sum(11), usedByEnded: sum(13) };
  } catch {
    return null; // It ended while we read.
  }
}

function readFromPs(root: number): number {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,time='], { encoding: 'utf8' });
  return table
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([pid, parent]) => Number(pid) === root || Number(parent) === root)
    .reduce((sum, [, , time]) => sum + toMs(time ?? '0'), 0);
}

/** `1:02.35`, or with hours and days before it. */
function toMs(time: string): number {
  return (
    time
      .replace('-', ':')
      .split(':')
      .reduce((sum, part) => sum * 60 + Number(part), 0) * 1_000
  );
}
