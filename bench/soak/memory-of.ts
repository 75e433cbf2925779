import { readFileSync } from 'node:fs';

/** Bytes that a process keeps in memory; null where there is no /proc, or no process. */
export function memoryOf(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(text)?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1_024;
  } catch {
    return null;
  }
}
