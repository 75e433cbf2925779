import { expect, test } from 'vitest';
import { parseEnv } from '#server/env.ts';

const least = {
  DATABASE_URL: 'postgresql://u:p@127.0.0.1:5432/d',
  REDIS_URL: 'redis://127.0.0.1:6379',
  CUSTODY_URL: 'http://127.0.0.1:4000',
  CUSTODY_API_KEY: 'key',
};

test('the least environment is enough, with the defaults of a production that shows nothing off', () => {
  expect(parseEnv(least)).toMatchObject({ demoMode: false, protocolTimes: 'production', port: 3000, authSecret: null });
});

test('what is missing or malformed is named, and no value is', () => {
  const parse = () => parseEnv({ ...least, DATABASE_URL: undefined, CUSTODY_URL: 'hunter2', PROTOCOL_TIMES: 'fast' });
  expect(parse).toThrow(/DATABASE_URL.*CUSTODY_URL.*PROTOCOL_TIMES/s);
  expect(parse).not.toThrow(/hunter2/);
});

test('several webhook secrets stand in one variable, and an empty variable is none', () => {
  expect(parseEnv({ ...least, CUSTODY_WEBHOOK_SECRET: ' whsec_a  whsec_b ' }).custodyWebhookSecrets).toEqual([
    'whsec_a',
    'whsec_b',
  ]);
  expect(parseEnv({ ...least, CUSTODY_WEBHOOK_SECRET: '', AUTH_SECRET: '', DEMO_MODE: '' })).toMatchObject({
    custodyWebhookSecrets: [],
    authSecret: null,
    demoMode: false,
  });
});

test('the public URL is an origin, whatever path was typed behind it', () => {
  expect(parseEnv({ ...least, PUBLIC_URL: 'https://exchange.example/withdraw' }).publicUrl).toBe(
    'https://exchange.example',
  );
});

test.each([
  ['http://localhost:3000', true],
  ['http://127.0.0.1:3000', true],
  ['http://127.1.2.3', true],
  ['http://[::1]:3000', true],
  ['http://localhost.evil.example', false],
  ['http://127.0.0.1.evil.example', false],
  ['http://0.0.0.0:3000', false],
  ['http://192.168.1.2:3000', false],
  ['https://exchange.example', false],
])('no process starts in demo mode where others could reach it: %s, allowed %s', (origin, allowed) => {
  const parse = () => parseEnv({ ...least, DEMO_MODE: '1', PUBLIC_URL: origin });
  if (allowed) expect(parse().demoMode).toBe(true);
  else expect(parse).toThrow(/DEMO_MODE.*PUBLIC_URL/);
});

test('coins of a simulated chain are believed on this machine alone', () => {
  const simulated = { ...least, SIMULATED_CHAINS_URL: 'http://127.0.0.1:4000' };
  expect(parseEnv({ ...simulated, PUBLIC_URL: 'http://localhost:3000' }).simulatedChainsUrl).toBe(
    'http://127.0.0.1:4000',
  );
  expect(() => parseEnv({ ...simulated, PUBLIC_URL: 'https://exchange.example' })).toThrow(
    /SIMULATED_CHAINS_URL.*PUBLIC_URL/,
  );
  expect(
    parseEnv({ ...simulated, SIMULATED_CHAINS_URL: '', PUBLIC_URL: 'https://exchange.example' }).simulatedChainsUrl,
  ).toBeNull();
});
