// What a new installation needs once, and an old one may do again: migrations, token contracts on the dev chain, assets.
// docker-compose.yml runs it before everything else; `npm start` does the same by itself.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const build = join(import.meta.dirname, '..', '.build');
const { CHAIN_RPC_URL, DEMO_DEPLOYER_KEY } = process.env;

run('migrate.mjs');
if (CHAIN_RPC_URL && DEMO_DEPLOYER_KEY) {
  const { deployTokens } = await import(pathToFileURL(join(build, 'deploy-tokens.mjs')).href);
  const { usdc, usdt } = await deployTokens({ rpcUrl: CHAIN_RPC_URL, deployerKey: DEMO_DEPLOYER_KEY });
  console.log(`token contracts: USDC ${usdc}, USDT ${usdt}`);
}
run('seed.mjs');
process.exit(0);

/** @param {string} bundle */
function run(bundle) {
  const { status } = spawnSync(process.execPath, [join(build, bundle)], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
