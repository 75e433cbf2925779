import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  armFaultPoints,
  disarmFaultPoints,
  FAULT_POINTS,
  parseFaultRules,
  reachFaultPoint,
  readReachedPoints,
} from '#server/fault-points.ts';

afterEach(disarmFaultPoints);

describe('a fault point', () => {
  it('does nothing while none is armed', async () => {
    await expect(reachFaultPoint('C6')).resolves.toBeUndefined();
  });

  it('is refused outside demo and test mode', () => {
    expect(() => armFaultPoints({ text: 'C6:kill', file: null, allowed: false })).toThrow('refused');
    expect(() => armFaultPoints({ text: null, file: null, allowed: false })).not.toThrow();
  });

  it('strikes at its visit and at no other, and writes down every visit before it does', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'fault-points-')), 'reached');
    armFaultPoints({ text: 'C9:throw@2', file, allowed: true });
    await reachFaultPoint('C9');
    await expect(reachFaultPoint('C9')).rejects.toThrow('fault point C9');
    await reachFaultPoint('C9');
    await reachFaultPoint('R1');
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ point, visit, deed }) => [point, visit, deed])).toEqual([
      ['C9', 1, null],
      ['C9', 2, 'throw'],
      ['C9', 3, null],
      ['R1', 1, null],
    ]);
    expect(readReachedPoints(file)).toEqual(new Set(['C9', 'R1']));
  });

  it('that stops blocks the whole process for so long', async () => {
    armFaultPoints({ text: 'C5:stop=60', file: null, allowed: true });
    const startedAt = performance.now();
    await reachFaultPoint('C5');
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(55);
  });

  it('is one of twenty, each named once', () => {
    expect(new Set(FAULT_POINTS).size).toBe(20);
  });
});

describe('the rules of fault points', () => {
  it('are read in any number', () => {
    expect(parseFaultRules('C8:kill@1, C5:stop=3000,C9:throw,*')).toEqual([
      { point: 'C8', deed: 'kill', stopMs: 0, visit: 1 },
      { point: 'C5', deed: 'stop', stopMs: 3_000, visit: null },
      { point: 'C9', deed: 'throw', stopMs: 0, visit: null },
    ]);
  });
  it.each(['C11:kill', 'C1:explode', 'C1', 'C5:stop', 'c1:kill', 'C1:kill@'])('refuse %s', (text) => {
    expect(() => parseFaultRules(text)).toThrow('no such rule');
  });
});
