import { expect, test } from 'vitest';
import { reorgAfterBlock } from './reorg-after-block.ts';

test('blocks are taken back right after one was mined, never in the middle of mining', async () => {
  const numbers = ['0x5', '0x5', '0x5', '0x6'];
  const asked: string[] = [];
  await reorgAfterBlock((method, params) => {
    asked.push([method, ...params].join(' '));
    return Promise.resolve(method === 'eth_blockNumber' ? numbers.shift() : null);
  }, 2);
  expect(asked).toEqual([...Array(4).fill('eth_blockNumber'), 'anvil_reorg 2 ']);
});

test('what the node refuses is said', async () => {
  const refusing = (method: string) =>
    method === 'anvil_reorg'
      ? Promise.reject(new Error('Resource not found'))
      : Promise.resolve(`0x${performance.now()}`);
  await expect(reorgAfterBlock(refusing, 2)).rejects.toThrow('Resource not found');
});
