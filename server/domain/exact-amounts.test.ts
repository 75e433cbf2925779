import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOTS = ['server', 'worker', 'prisma', 'mock-custody', 'app'];

/** Where a number that is no amount is read. A new line here says what it reads, and why that is never money. */
const ALLOWED: Readonly<Record<string, string>> = {
  'server/domain/custody-outcome.ts': 'whole seconds of Retry-After',
  'server/domain/language.ts': 'how much a browser wants a language',
  'server/deposits/find-vanished-deposits.ts': 'the number of a block',
  'server/auth/find-factors.ts': 'time steps and counters of second factors',
  'server/api/request-guard.ts': 'the length of a body in bytes',
  'server/queue/withdrawal-claim.ts': 'what Redis answers: milliseconds, and one or none',
  'server/chain/chain-wire.ts': 'numbers and times of blocks, places of logs',
  'server/chain/index-blocks.ts': 'the number of a block',
  'server/chain/reread-overlap.ts': 'the number of a block',
  'server/chain/confirm-taking-up.ts': 'the number of a block',
  'server/chain/find-common-block.ts': 'the number of a block',
  'server/chain/find-halted-networks.ts': 'the number of a block',
  'app/(operator)/operator/_components/lab-outages.tsx': 'the seconds of an outage',
  'server/chain/chain-rpc-client.ts': 'numbers of blocks and nonces',
  'server/fault-points.ts': 'milliseconds and visits of a fault',
  'server/inbox/webhook-signature.ts': 'the second at which a webhook was signed',
  'server/operator/find-invariants.ts': 'how often a promise is broken',
  'server/operator/refresh-metrics.ts':
    'a gauge is a float wherever it is scraped: it is looked at and never counted with',
  'worker/processors/withdrawal-worker.ts': 'the time that a withdrawal’s id begins with',
  'server/withdrawals/acceptance-batch.ts': 'the last digit of a customer’s id, for a lane',
  'mock-custody/networks/simulated-ledger.ts': 'the height of the simulated chain',
  'mock-custody/networks/evm-network.ts': 'heights and nonces',
};

// Each of these turns a text or a bigint into a float, and a float forgets the last digits of an amount.
const FLOATS = /\bNumber\(|\bparseFloat\b|\bparseInt\b|\.toFixed\(|\.toPrecision\(|\.toExponential\(/;

function sourcesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test(?:-support)?\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'))
    .filter((file) => !/generated|test-support/.test(file));
}

test('AM01, AM03, EC92: no amount of ours passes through a float, in a rule, a deed, a wire or a screen', () => {
  const files = ROOTS.flatMap(sourcesUnder);
  expect(files.length).toBeGreaterThan(400);
  const found = files.flatMap((file) => {
    if (file in ALLOWED) return [];
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.flatMap((line, index) => (FLOATS.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : []));
  });
  expect(found).toEqual([]);
});
