import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { childEnvironment } from './child-environment.ts';
import { DEPLOYER_KEY } from './demo-keys.ts';
import type { Life } from './life.mjs';
import { PROJECT_ROOT } from './project-root.ts';
import { runCommand } from './run-command.mjs';

export type TokenAddresses = { usdc: `0x${string}`; usdt: `0x${string}` };

/**
 * Deploys the token contracts where the chain does not have them: a new chain, or one that a crash set back.
 *
 * @param input.module the file that exports `deployTokens`. It belongs to custody, whose code we do not import: it runs
 *   as a process of its own and prints the addresses
 */
export async function deployTokens(
  deps: { life: Life },
  input: { module: string; chainUrl: string; stateFolder: string },
): Promise<TokenAddresses> {
  const kept = join(input.stateFolder, 'tokens.json');
  if (existsSync(kept)) {
    const tokens: TokenAddresses = JSON.parse(readFileSync(kept, 'utf8'));
    if ((await hasCode(input.chainUrl, tokens.usdc)) && (await hasCode(input.chainUrl, tokens.usdt))) return tokens;
  }
  const options = JSON.stringify({ rpcUrl: input.chainUrl, deployerKey: DEPLOYER_KEY });
  const script = `
    const { deployTokens } = await import(${JSON.stringify(pathToFileURL(join(PROJECT_ROOT, input.module)).href)});
    const { usdc, usdt } = await deployTokens(${options});
    console.log(JSON.stringify({ usdc, usdt }));
    process.exit(0);`;
  const loader = input.module.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const args = [...loader, '--input-type=module', '--eval', script];
  const env = { ...childEnvironment(), NODE_ENV: 'production' as const };
  const output = await runCommand(deps, { command: process.execPath, args, cwd: PROJECT_ROOT, env });
  const tokens: TokenAddresses = JSON.parse(output.trim().split('\n').at(-1) ?? '');
  writeFileSync(kept, JSON.stringify(tokens));
  return tokens;
}

async function hasCode(chainUrl: string, address: string): Promise<boolean> {
  const answer = await fetch(chainUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getCode', params: [address, 'latest'] }),
  });
  const { result } = (await answer.json()) as { result?: string };
  return result !== undefined && result !== '0x';
}
