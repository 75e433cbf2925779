import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { metrics } from '#server/metrics.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');
const read = (...path: string[]) => readFileSync(join(DOCS, ...path), 'utf8');

const rules = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            alert: z.string(),
            expr: z.string(),
            labels: z.object({ severity: z.enum(['page', 'ticket']) }),
            annotations: z.object({ summary: z.string(), runbook: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(read('observability', 'alert-rules.yml')))
  .groups.flatMap((group) => group.rules);

const dashboard = z
  .object({ panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })) })
  .parse(JSON.parse(read('observability', 'grafana-dashboard.json')));

/** The metrics of an expression: every word that is no function, label or keyword of Prometheus. */
function namesIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\b(by|without) \([^)]*\)/g, '')
    .replaceAll(/\[[^\]]*\]/g, '');
  return [...bare.matchAll(/[a-z_][a-z0-9_]*/g)].map(([word]) => word).filter((word) => !WORDS.has(word));
}
const WORDS = new Set([
  'max',
  'max_over_time',
  'sum',
  'rate',
  'increase',
  'histogram_quantile',
  'absent',
  'time',
  'or',
  'by',
  'le',
]);

async function exportedNames(): Promise<Set<string>> {
  const all = await metrics().registry.getMetricsAsJSON();
  return new Set(
    all.flatMap(({ name, type }) =>
      String(type) === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}

test.each(rules)('the alert $alert asks only for what the processes export', async ({ expr }) => {
  const exported = await exportedNames();
  expect(namesIn(expr).length).toBeGreaterThan(0);
  expect(namesIn(expr).filter((name) => !exported.has(name))).toEqual([]);
});

test.each(dashboard.panels)('the panel "$title" draws only what the processes export', async ({ targets }) => {
  const exported = await exportedNames();
  const names = targets.flatMap(({ expr }) => namesIn(expr));
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !exported.has(name))).toEqual([]);
});

test('every alert has one runbook of its name that says what to look at, what never to do, and when it is over', () => {
  for (const { alert, annotations } of rules) {
    expect(annotations.runbook).toBe(`docs/runbooks/${alert}.md`);
    const text = read('runbooks', `${alert}.md`);
    expect(text.startsWith(`# ${alert}\n`)).toBe(true);
    for (const part of ['## Look, then do', '## Never', '## Over when']) expect(text, alert).toContain(part);
  }
});

test('no runbook is about an alert that nobody raises', () => {
  const alerts = new Set(rules.map(({ alert }) => `${alert}.md`));
  expect(readdirSync(join(DOCS, 'runbooks')).filter((file) => !alerts.has(file))).toEqual([]);
  expect(alerts.size).toBe(rules.length);
});
