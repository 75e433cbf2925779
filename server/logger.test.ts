import { expect, test } from 'vitest';
import { createLogger } from '#server/logger.ts';

function logged(write: (out: ReturnType<typeof createLogger>) => void): string {
  let text = '';
  write(createLogger('debug', { write: (line) => (text += line) }));
  return text;
}

test('DB14: a bigint in a line, at the top or at any depth, is written with every digit and never what fails', () => {
  const nonce = 9_007_199_254_740_993n;
  const text = logged((out) => out.info('test.seen', { nonce, evidence: { heights: [nonce, { deep: nonce }] } }));
  expect(JSON.parse(text)).toMatchObject({ event: 'test.seen', nonce: '9007199254740993' });
  expect(text.match(/9007199254740993/g)).toHaveLength(3);
});

test('DB14: an error that carries a bigint, or whose cause does, is written with its stack', () => {
  const error = Object.assign(new Error('no', { cause: Object.assign(new Error('why'), { height: 7n }) }), {
    nonce: 5n,
  });
  const text = logged((out) => out.error('test.failed', error, { withdrawalId: 'w' }));
  expect(JSON.parse(text)).toMatchObject({ event: 'test.failed', withdrawalId: 'w' });
  expect(text).toContain('logger.test.ts');
  expect(text).toContain('why');
});
