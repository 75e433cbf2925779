import { expect, test } from 'vitest';
import { type NetworkNews, nextNetworkNews } from './network-news.ts';

const nothing: NetworkNews = { hash: null, mostConfirmations: 0, news: null };

function after(...answers: [hash: string | null, confirmations: number][]): NetworkNews {
  return answers.reduce<NetworkNews>(
    (news, [transactionHash, confirmations]) =>
      nextNetworkNews(news, { transactionHash, confirmations, status: 'broadcast' }),
    nothing,
  );
}

test('confirmations that grow are no news', () => {
  expect(after([null, 0], ['0xa', 0], ['0xa', 3], ['0xa', 12]).news).toBeNull();
});

test('confirmations that fall were counted anew, and that stays said', () => {
  expect(after(['0xa', 5], ['0xa', 0]).news).toBe('recounted');
  expect(after(['0xa', 5], ['0xa', 0], ['0xa', 7]).news).toBe('recounted');
});

test('another transaction in the place of the first is a replacement, whatever was counted before', () => {
  expect(after(['0xa', 5], ['0xb', 0]).news).toBe('replaced');
  expect(after(['0xa', 5], ['0xa', 0], ['0xb', 0], ['0xb', 2]).news).toBe('replaced');
});

test('an answer that says the same again changes nothing, so that nothing is drawn anew', () => {
  const seen = after(['0xa', 5]);
  expect(nextNetworkNews(seen, { transactionHash: '0xa', confirmations: 5, status: 'broadcast' })).toBe(seen);
});

test('a transaction that is not told about for a while is remembered', () => {
  expect(after(['0xa', 1], [null, 0], ['0xb', 0]).news).toBe('replaced');
});
