import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const DECISION = join(ROOT, 'docs', 'decisions', '0014-two-readings-of-one-clock.md');

/** Takes a row's lock, or waits for one: an update waits as well. What is locked already is skipped where it says so. */
const LOCKS = /\bfor (?:no key )?update\b|\bfor share\b|pg_advisory|\bupdate \w+\s+(?:\w+\s+)?set\b/;
const COMPARES = /(?:<|>|<=|>=|between) (?:protocol_now\(\)|v_now)|(?:protocol_now\(\)|v_now) [<>]/;

/** Every named statement of ours, and every function of the migrations as its newest definition has it. */
function findStatements(): Map<string, string> {
  const found = new Map<string, string>();
  const filesOf = (folder: string) => readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).sort();
  for (const file of filesOf('server').map((name) => join('server', name))) {
    if (!file.endsWith('.ts') || file.includes('generated') || file.includes('test')) continue;
    const source = readFileSync(join(ROOT, file), 'utf8');
    for (const [, name = '', text = ''] of source.matchAll(/name: '(\w+)',\s*text:\s*[`']([^`]*?)[`'],?\s*\}/g)) {
      found.set(name, text);
    }
  }
  for (const file of filesOf('prisma/migrations').map((name) => join('prisma/migrations', name))) {
    if (!file.endsWith('.sql')) continue;
    const source = readFileSync(join(ROOT, file), 'utf8');
    for (const [, dropped, name = '', head = '', body = ''] of source.matchAll(
      /^drop function (\w+)|create (?:or replace )?function (\w+)\(([\s\S]*?)\$\$([\s\S]*?)\$\$/gm,
    )) {
      if (dropped !== undefined) {
        found.delete(dropped);
        continue;
      }
      // A trigger runs when its row is locked.
      found.set(name, `${head.includes('returns trigger') ? 'for update ' : ''}${body}`);
    }
  }
  return found;
}

const isConcerned = (text: string) => LOCKS.test(text) && COMPARES.test(text);

it('every statement that may wait for a lock and then compares a time has its reason in the decision', () => {
  const statements = findStatements();
  expect(statements.size).toBeGreaterThan(150);
  const concerned = [...statements].filter(([, text]) => isConcerned(text)).map(([name]) => name);
  const judged = [...readFileSync(DECISION, 'utf8').matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name);
  expect(concerned.filter((name) => !judged.includes(name))).toEqual([]);
});

it('a comparison after a wait is seen, however it is written', () => {
  expect(isConcerned('update withdrawals w set a = 1 where w.next_action_at > protocol_now()')).toBe(true);
  expect(isConcerned('select 1 from t where protocol_now() >= t.at for no key update')).toBe(true);
  expect(isConcerned('perform pg_advisory_xact_lock(1); if old.at > v_now then')).toBe(true);
  expect(isConcerned('select 1 from t where t.at > protocol_now()')).toBe(false);
});
