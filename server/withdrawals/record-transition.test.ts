import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

function sourceFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return entry.name === 'generated' || entry.name === 'test-support' ? [] : sourceFiles(path);
    return /\.tsx?$/.test(entry.name) && !/\.(test|spec|bench)\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

const files = ['app', 'server', 'worker', 'prisma'].flatMap(sourceFiles).map((path) => ({
  path: relative('.', path),
  text: readFileSync(join(ROOT, path), 'utf8'),
}));

/** An update of \`withdrawals\` that sets the column \`status\`, in SQL or through the query builder. */
const WRITES_STATUS = [
  /update\s+withdrawals\s+w?\s*set[^;`]*?\bstatus\s*=/is,
  /withdrawal\.update(Many|ManyAndReturn)?\(/,
];

describe('the status of a withdrawal', () => {
  it('is written in transition statements and nowhere else', () => {
    const writers = files.filter(({ text }) =>
      WRITES_STATUS.some((pattern) => pattern.test(text.split(/\bwhere\b/i).join(' where '))),
    );
    const outside = writers.filter(({ text }) => setsStatus(text)).map(({ path }) => path);
    expect(outside.filter((path) => !/^server\/sql\/[a-z-]+-transition\.sql\.ts$/.test(path))).toEqual([]);
    expect(outside.length).toBeGreaterThan(5);
  });

  it('is moved by record-transition.ts alone', () => {
    const importers = files.filter(({ text }) => /from '#server\/sql\/[a-z-]+-transition\.sql\.ts'/.test(text));
    expect(importers.map(({ path }) => path)).toEqual(['server/withdrawals/record-transition.ts']);
  });
});

describe('custody’s create', () => {
  it('is called by the submitting verb alone, and made by the HTTP client alone', () => {
    // Any mention, so that nobody calls it by taking it out of the port first.
    const callers = files.filter(({ text }) => /\bcreateTransfer\b/.test(text)).map(({ path }) => path);
    expect(callers.filter((path) => !/^server\/custody\/custody-(http-client|port)\.ts$/.test(path))).toEqual([
      'server/withdrawals/submit-withdrawal.ts',
    ]);
    const makers = files
      .filter(({ text }) => /method: 'POST'/.test(text) && /\/v1\/transfers/.test(text))
      .map(({ path }) => path);
    expect(makers).toEqual(['server/custody/custody-http-client.ts']);
  });
});

/** Between \`set\` and the next \`where\` or \`from\` of an update of withdrawals, status is assigned. */
function setsStatus(text: string): boolean {
  return [...text.matchAll(/update\s+withdrawals\b[^`]*?\bset\b([^`]*?)(\bwhere\b|\bfrom\b|`)/gis)].some(
    ([, assigned]) => /(^|[\s,])status\s*=/.test(assigned ?? ''),
  );
}
