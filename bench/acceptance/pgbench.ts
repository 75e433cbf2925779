import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Life } from '#stack/life.mjs';
import { PROJECT_ROOT } from '#stack/project-root.ts';
import { runCommand, tryCommand } from '#stack/run-command.mjs';
import type { Contestant } from '../harness/contestant.ts';
import { measure } from '../harness/measure.ts';

type Deps = { life: Life; log: (line: string) => void };

const CLIENTS = 16;
const SCRIPT = `\\set n random(1, :customers)
select r.outcome, r.outbox_id, protocol_now() as now, (r.w).* from request_confirmed_withdrawal(jsonb_build_object(
  'id', gen_random_uuid(), 'key', gen_random_uuid(), 'customer', (select id from bench_customers where n = :n), 'asset', 'USDC', 'network', 'ethereum',
  'address', '0x' || md5(random()::text) || '00000000', 'amount', 1000000, 'fee', 500000, 'fee_mode', 'on_top', 'needs_approval', false,
  'refused_daily_max', 50, 'value', 150000000, 'reasons', '{}'::text[])) r;
`;

/** pgbench with the accepting call as one prepared statement: what Postgres does when nothing of ours is in the way. */
export function pgbenchContestant(
  deps: Deps,
  input: { name: string; program: string; url: string; customers: number; postgres: number },
): Contestant {
  const folder = join(PROJECT_ROOT, '.state-bench');
  mkdirSync(folder, { recursive: true });
  const script = join(folder, 'accept.pgbench');
  writeFileSync(script, SCRIPT);
  const { name, program, url, customers, postgres } = input;
  return {
    name,
    how: `pgbench, ${CLIENTS} clients, the accepting call as one prepared statement`,
    run: (milliseconds) =>
      measure({ postgres }, async () => {
        const options = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '1', '-D', `customers=${customers}`];
        const seconds = String(Math.max(1, Math.round(milliseconds / 1_000)));
        const printed = await runCommand(deps, {
          command: program,
          args: [...options, '-T', seconds, '-f', script, url],
        });
        const done = /actually processed: (\d+)/.exec(printed)?.[1];
        if (done === undefined) throw new Error(`pgbench said nothing of transactions: ${printed}`);
        return { operations: Number(done) };
      }),
  };
}

/** Debian keeps it beside the server, and not on PATH. Null where there is none. */
export async function findPgbench(deps: Deps): Promise<string | null> {
  const versions = [18, 17, 16, 15, 14].map((version) => `/usr/lib/postgresql/${version}/bin/pgbench`);
  for (const program of [...versions, 'pgbench']) {
    const tried = await tryCommand(deps, { command: program, args: ['--version'] }).catch(() => null);
    if (tried?.code === 0) return program;
  }
  return null;
}
