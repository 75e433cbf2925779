import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Life } from '#stack/life.mjs';
import { PROJECT_ROOT } from '#stack/project-root.ts';
import { runCommand } from '#stack/run-command.mjs';
import { PEERS_FOLDER } from './bench-world.ts';

type Deps = { life: Life; log: (line: string) => void };

/** Once a checkout, with a lock of their own: nothing of the product needs them. */
export async function installPeers(deps: Deps): Promise<void> {
  mkdirSync(PEERS_FOLDER, { recursive: true });
  const stamp = join(PEERS_FOLDER, 'installed.json');
  const source = join(PROJECT_ROOT, 'bench', 'peers');
  const lock = readFileSync(join(source, 'package-lock.json'), 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  deps.log('installing the peers of the bench');
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(source, file), join(PEERS_FOLDER, file));
  const npm = process.env.npm_execpath;
  const install = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const [command, args] = npm === undefined ? ['npm', install] : [process.execPath, [npm, ...install]];
  await runCommand(deps, { command, args, cwd: PEERS_FOLDER });
  writeFileSync(stamp, lock);
}
