import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseEnv } from '#server/env.ts';
import { PROJECT_ROOT } from './project-root.ts';

const Service = z.object({
  image: z.string().optional(),
  command: z.array(z.string()).optional(),
  container_name: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  stop_grace_period: z.string().optional(),
});
const Compose = z.object({ services: z.record(z.string(), Service), volumes: z.record(z.string(), z.null()) });

const text = read('docker-compose.yml');
const { services } = Compose.parse(parse(text, { merge: true }));
const RUNNING = ['postgres', 'redis', 'chain', 'custody', 'web', 'worker'];

test('the six parts of the system are there, and one set-up that ends', () => {
  expect(Object.keys(services).sort()).toEqual([...RUNNING, 'set-up'].sort());
});

test.each(RUNNING)('%s says by itself whether it is healthy', (name) => {
  expect(service(name).healthcheck?.test[0]).toBe('CMD');
});

test('health is asked where the process listens', () => {
  expect(service('web').healthcheck?.test.join(' ')).toContain(`:${service('web').environment.PORT}/health/ready`);
  expect(service('worker').healthcheck?.test.join(' ')).toContain(
    `:${service('worker').environment.WORKER_HEALTH_PORT}/health/ready`,
  );
  expect(service('custody').healthcheck?.test.join(' ')).toContain(
    `:${service('custody').environment.CUSTODY_PORT}/health/ready`,
  );
});

test('Redis evicts nothing and survives a restart', () => {
  const command = service('redis').command?.join(' ');
  expect(command).toContain('--maxmemory-policy noeviction');
  expect(command).toContain('--appendonly yes');
});

test('nothing starts before what it needs has said that it is ready', () => {
  expect(service('set-up').depends_on).toEqual({
    postgres: { condition: 'service_healthy' },
    chain: { condition: 'service_healthy' },
  });
  expect(service('custody').depends_on['set-up']?.condition).toBe('service_completed_successfully');
  for (const name of ['web', 'worker']) {
    expect(service(name).depends_on).toEqual({
      'set-up': { condition: 'service_completed_successfully' },
      redis: { condition: 'service_healthy' },
      custody: { condition: 'service_healthy' },
    });
  }
});

test('a worker can be scaled: no name and no port of its machine', () => {
  expect(service('worker').ports).toEqual([]);
  expect(service('worker').container_name).toBeUndefined();
});

test.each(['web', 'worker', 'set-up'])('%s is told everything that our code asks for', (name) => {
  const env = parseEnv(substitute(service(name).environment));
  expect(env.publicUrl).toBe('http://localhost:3000');
  expect(env.usdcContract).not.toBeNull();
  expect(env.chainRpcUrl).not.toBeNull();
});

test('no service is in demo mode, which gives anybody a session', () => {
  for (const { environment } of Object.values(services)) expect(environment).not.toHaveProperty('DEMO_MODE');
});

test.each(['web', 'worker', 'set-up'])('every name that %s is given is read by our code', (name) => {
  const known = [...namesIn('server/env.ts'), ...namesIn('server/logger.ts'), ...namesIn('prisma/seed.ts')];
  expect(Object.keys(service(name).environment).filter((given) => !known.includes(given))).toEqual([]);
});

test('custody is given exactly what its code must have, and nothing of ours', () => {
  const source = read('mock-custody/custody-env.ts');
  const names = [...source.matchAll(/^ {2}([A-Z][A-Z_]+): (.+)$/gm)].map(([, name, rule]) => ({ name, rule }));
  const given = Object.keys(service('custody').environment);
  const missing = names.filter(({ name, rule }) => !/default|optional/.test(rule ?? '') && !given.includes(name ?? ''));
  expect(missing).toEqual([]);
  expect(given.filter((one) => !names.some(({ name }) => name === one))).toEqual([]);
});

test('custody and we agree on key, secret and contracts', () => {
  for (const name of ['CUSTODY_API_KEY', 'CUSTODY_WEBHOOK_SECRET', 'USDC_CONTRACT', 'USDT_CONTRACT', 'CHAIN_RPC_URL']) {
    expect(service('custody').environment[name]).toBe(service('web').environment[name]);
  }
});

test('the example names every value that must be filled in, and fills in none of the secrets', () => {
  const example = read('.env.example');
  for (const [, name, rest] of text.matchAll(/\$\{([A-Z_]+)(:\?|:?-\}?)?/g)) {
    // What may be left out is empty in both.
    expect(example).toMatch(new RegExp(`^${name}=${rest === ':?' || rest === ':-}' ? '$' : '.+'}`, 'm'));
  }
});

function service(name: string): z.infer<typeof Service> {
  const found = services[name];
  if (!found) throw new Error(`there is no service ${name}`);
  return found;
}

/** What compose does with ${NAME:?…}, ${NAME:-default} and ${NAME-default}. */
function substitute(environment: Record<string, string>): Record<string, string> {
  // A fallback may hold a variable of its own: from the inside out.
  const fill = (value: string): string => {
    const filled = value.replace(
      /\$\{([A-Z_]+)(?::?-([^${}]*)|:\?[^${}]*)?\}/g,
      (_, name, fallback) => fallback ?? `whsec_of_${name}`,
    );
    return filled === value ? value : fill(filled);
  };
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fill(value)]));
}

function namesIn(path: string): string[] {
  return read(path).match(/\b[A-Z][A-Z0-9]*(_[A-Z0-9]+)+\b|\bPORT\b/g) ?? [];
}

function read(path: string): string {
  return readFileSync(join(PROJECT_ROOT, path), 'utf8');
}
