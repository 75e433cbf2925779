import { describe, expect, test } from 'vitest';
import { isTerminal, WITHDRAWAL_STATUSES, type WithdrawalStatus } from '#domain/withdrawal.ts';
import { FIRST_STATUSES, LEGAL_TRANSITIONS, MOVES_BACK, mayFollow, pathTo } from '#domain/withdrawal-transitions.ts';

describe('legal transitions', () => {
  test('nothing follows an end, and something follows everything else', () => {
    for (const status of WITHDRAWAL_STATUSES) {
      expect(LEGAL_TRANSITIONS[status].length > 0, status).toBe(!isTerminal(status));
    }
  });

  test('EC72: a withdrawal is cancelled before its claim and rejected before its approval, and never after', () => {
    const before: readonly WithdrawalStatus[] = ['awaiting_approval', 'queued'];
    for (const status of WITHDRAWAL_STATUSES) {
      expect(mayFollow(status, 'cancelled'), status).toBe(before.includes(status));
      expect(mayFollow(status, 'rejected'), status).toBe(status === 'awaiting_approval');
    }
  });

  test('an answer alone fails nothing: a refusal goes by doubt, where a look-up decides', () => {
    expect(mayFollow('dispatching', 'failed')).toBe(false);
    expect(mayFollow('in_doubt', 'failed')).toBe(true);
  });

  test('nothing becomes refused, and nothing returns to awaiting approval', () => {
    for (const status of WITHDRAWAL_STATUSES) {
      expect(mayFollow(status, 'refused'), status).toBe(false);
      expect(mayFollow(status, 'awaiting_approval'), status).toBe(false);
    }
  });

  test('CU13: exactly three moves lead back, each with its evidence', () => {
    const order: readonly WithdrawalStatus[] = [
      'awaiting_approval',
      'queued',
      'dispatching',
      'in_doubt',
      'submitted',
      'broadcast',
      'completed',
    ];
    const back = order.flatMap((from, index) =>
      order
        .slice(0, index)
        .filter((to) => mayFollow(from, to))
        .map((to) => `${from} ${to}`),
    );
    expect(back.sort()).toEqual(MOVES_BACK.map((move) => `${move.from} ${move.to}`).sort());
    expect(new Set(MOVES_BACK.map((move) => move.evidence)).size).toBe(3);
  });

  test('a withdrawal is born waiting, queued or refused', () => {
    expect(FIRST_STATUSES).toEqual(['awaiting_approval', 'queued', 'refused']);
  });
});

describe('evidence that jumps', () => {
  test.each<[WithdrawalStatus, WithdrawalStatus, readonly WithdrawalStatus[] | null]>([
    ['dispatching', 'broadcast', ['submitted', 'broadcast']],
    ['dispatching', 'completed', ['submitted', 'completed']],
    ['in_doubt', 'broadcast', ['submitted', 'broadcast']],
    ['queued', 'submitted', ['in_doubt', 'submitted']],
    ['queued', 'broadcast', ['in_doubt', 'submitted', 'broadcast']],
    ['awaiting_approval', 'completed', ['in_doubt', 'submitted', 'completed']],
    ['submitted', 'broadcast', ['broadcast']],
    ['in_doubt', 'queued', ['queued']],
    ['submitted', 'submitted', []],
    ['broadcast', 'submitted', null],
    ['submitted', 'queued', null],
    ['submitted', 'in_doubt', null],
    ['completed', 'failed', null],
    ['failed', 'submitted', null],
    ['cancelled', 'broadcast', null],
  ])('%s to %s takes the legal path %j', (from, to, path) => {
    expect(pathTo(from, to)).toEqual(path);
  });

  test('every path there is consists of legal steps and claims nothing', () => {
    for (const from of WITHDRAWAL_STATUSES) {
      for (const to of WITHDRAWAL_STATUSES) {
        const path = pathTo(from, to);
        if (path === null || path.length < 2) continue;
        let at = from;
        for (const step of path) {
          expect(mayFollow(at, step), `${from} ${to}: ${at} ${step}`).toBe(true);
          expect(step).not.toBe('dispatching');
          at = step;
        }
        expect(at).toBe(to);
      }
    }
  });
});
