import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { PROJECT_ROOT } from '#stack/project-root.ts';

/** What a command found, for people and for a later comparison. */
export type KeptResult = Readonly<Record<string, unknown>>;

/** Writes a result to a file, with when it was, of which sources, and on what machine. */
export function keepResult(file: string, result: KeptResult): void {
  const about = {
    at: new Date().toISOString(),
    commit: readCommit(),
    machine: { cpus: cpus().length, model: cpus()[0]?.model ?? '', node: process.version },
  };
  writeFileSync(file, `${JSON.stringify({ ...about, ...result }, null, 1)}\n`);
}

let commit: string | null = null;

/** The sources are those of the beginning, whoever commits meanwhile; null outside a repository. */
function readCommit(): string | null {
  if (commit !== null) return commit;
  try {
    commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: PROJECT_ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    // An archive without its history is still a project that can be proved.
  }
  return commit;
}
