import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Abi, Hex } from 'viem';
import { z } from 'zod';

export type ContractName = 'DollarToken' | 'FeeToken' | 'DoublePayer';
export type CompiledContract = { abi: Abi; bytecode: Hex };

const sources = {
  DollarToken: 'dollar-token.sol',
  FeeToken: 'fee-token.sol',
  DoublePayer: 'double-payer.sol',
} as const satisfies Record<ContractName, string>;

const abi = z.custom<Abi>((value) => Array.isArray(value));
const output = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).optional(),
  contracts: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.object({ abi, evm: z.object({ bytecode: z.object({ object: z.string().regex(/^[0-9a-f]*$/) }) }) }),
      ),
    )
    .default({}),
});
const solc = z.object({
  compile: z.custom<
    (source: string, callbacks: { import: (path: string) => { contents: string } | { error: string } }) => string
  >((value) => typeof value === 'function'),
});

let compiled: Record<ContractName, CompiledContract> | undefined;

/**
 * The demo contracts, compiled in this process without a network: imports come from the installed packages. Seconds the
 * first time, for the compiler is large; afterwards read from the cache in node_modules, under the sources' hash.
 */
export function compileContracts(): Record<ContractName, CompiledContract> {
  compiled ??= readCache() ?? compileAll();
  return compiled;
}

const artifact = z.object({ abi, bytecode: z.templateLiteral(['0x', z.string()]) });
const artifacts = z.object({ DollarToken: artifact, FeeToken: artifact, DoublePayer: artifact });

function readCache(): Record<ContractName, CompiledContract> | null {
  try {
    return artifacts.parse(JSON.parse(readFileSync(cacheFile(), 'utf8')));
  } catch {
    return null; // Not there, or half written by a process that was killed: compile again.
  }
}

function writeCache(contracts: Record<ContractName, CompiledContract>): void {
  const file = cacheFile();
  try {
    mkdirSync(dirname(file), { recursive: true });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(contracts));
    renameSync(draft, file);
  } catch {
    // A folder that cannot be written costs the next process some seconds, nothing else.
  }
}

function cacheFile(): string {
  const hash = createHash('sha256');
  for (const file of Object.values(sources)) hash.update(readSource(file));
  const require = createRequire(import.meta.url);
  const installed = dirname(dirname(require.resolve('solc/package.json')));
  for (const name of ['solc', '@openzeppelin/contracts'])
    hash.update(readFileSync(join(installed, name, 'package.json')));
  return join(installed, '.cache', 'mock-custody', `${hash.digest('hex').slice(0, 32)}.json`);
}

function compileAll(): Record<ContractName, CompiledContract> {
  const require = createRequire(import.meta.url);
  const compiler = solc.parse(require('solc'));
  const settings = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.values(sources).map((file) => [file, { content: readSource(file) }])),
    settings: {
      optimizer: { enabled: true, runs: 200 },
      // No hash of comments and paths in the code: the same source gives the same bytes on every machine.
      metadata: { bytecodeHash: 'none' },
      evmVersion: 'paris',
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
  const findImport = (path: string): { contents: string } | { error: string } => {
    try {
      return { contents: readFileSync(require.resolve(path), 'utf8') };
    } catch {
      return { error: `${path} is not installed` };
    }
  };
  const result = output.parse(JSON.parse(compiler.compile(JSON.stringify(settings), { import: findImport })));
  const errors = (result.errors ?? []).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join('\n'));
  const pick = (name: ContractName): CompiledContract => {
    const found = result.contracts[sources[name]]?.[name];
    if (found === undefined) throw new Error(`solc gave no ${name}`);
    return { abi: found.abi, bytecode: `0x${found.evm.bytecode.object}` };
  };
  const contracts = { DollarToken: pick('DollarToken'), FeeToken: pick('FeeToken'), DoublePayer: pick('DoublePayer') };
  writeCache(contracts);
  return contracts;
}

function readSource(file: string): string {
  const beside = new URL(file, import.meta.url);
  // A bundle leaves the sources where they are; it is started from the project's root.
  return readFileSync(existsSync(beside) ? beside : join('mock-custody', 'contracts', file), 'utf8');
}
