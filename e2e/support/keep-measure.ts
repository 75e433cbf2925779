import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { PROJECT_ROOT } from '#stack/project-root.ts';

const GIB = 1024 ** 3;

/** Keeps what was measured, with where and of which commit, in the file that the command was given; without one nothing is kept. */
export function keepMeasure(measured: Readonly<Record<string, unknown>>): void {
  const file = process.env.MEASURE_JSON;
  if (file === undefined) return;
  const [first] = cpus();
  const about = {
    measuredOn: `${cpus().length} × ${first?.model ?? 'an unknown processor'}, ${Math.round(totalmem() / GIB)} GiB, Node ${process.version}`,
    measuredAt: new Date().toISOString(),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: PROJECT_ROOT, encoding: 'utf8' }).trim(),
  };
  writeFileSync(file, `${JSON.stringify({ ...about, ...measured }, null, 2)}\n`);
}
