import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isChainUp } from './probes.ts';
import type { ProcessSpec } from './processes.ts';
import { PROJECT_ROOT } from './project-root.ts';

// A confirmation a second: a demo withdrawal with 12 confirmations is done before anybody looks away.
const BLOCK_SECONDS = 1;
// The whole chain is written each time: at every second it was an eighth of a core after a few hours.
const SAVE_EVERY_SECONDS = 60;
// States of old blocks serve only reorgs, which go a few blocks deep; kept for ever they grow by the block.
const STATES_KEPT = 256;

/** A real Ethereum node whose chain survives a restart; chain id 31337, ten funded accounts with published keys. */
export function devChainSpec(input: {
  port: number;
  stateFolder: string;
  blockSeconds?: number | undefined;
}): ProcessSpec {
  const options = {
    host: '127.0.0.1',
    port: String(input.port),
    'chain-id': '31337',
    'block-time': String(input.blockSeconds ?? BLOCK_SECONDS),
    state: join(input.stateFolder, 'chain.json'),
    'state-interval': String(SAVE_EVERY_SECONDS),
    'prune-history': String(STATES_KEPT),
  };
  return {
    name: 'chain',
    command: findAnvil(),
    args: ['--quiet', ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])],
    env: { PATH: process.env.PATH, HOME: input.stateFolder },
    // Writes the chain before it ends.
    stopSignal: 'SIGINT',
    stopWithinMs: 15_000,
    isReady: () => isChainUp(chainUrl(input.port)),
    readyWithinMs: 20_000,
  };
}

export function chainUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** The program itself; the package's own command is a script that starts it. */
function findAnvil(): string {
  const platform = process.platform;
  const architecture = process.arch === 'x64' ? 'amd64' : process.arch;
  const name = `@foundry-rs/anvil-${platform}-${architecture}`;
  const manifest = createRequire(join(PROJECT_ROOT, 'package.json')).resolve(`${name}/package.json`);
  return join(dirname(manifest), 'bin', platform === 'win32' ? 'anvil.exe' : 'anvil');
}
