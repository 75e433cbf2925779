import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const lines = readFileSync(join(import.meta.dirname, 'security.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| promise |'));

test.each(lines)('%s', (line) => {
  const [, file = '', title = ''] = /^\| .+ \| `([^`]+)` \| (.+) \|$/.exec(line) ?? [];
  expect(existsSync(join(ROOT, file)), file).toBe(true);
  expect(readFileSync(join(ROOT, file), 'utf8').replaceAll("\\'", "'")).toContain(title);
});
