import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

// Answers `/quick` at once and `/slow` after a second and a half, and tells its port.
const PROGRAM = `
  const { createServer } = await import('node:http');
  const { stopOnSignal } = await import('#server/api/stop-on-signal.ts');
  const server = createServer((request, response) => {
    setTimeout(() => response.end('answered'), request.url === '/slow' ? 1500 : request.url === '/never' ? 60_000 : 0);
  });
  stopOnSignal({ begin: () => console.log('begun'), server, finish: async () => console.log('finished') });
  server.listen(0, '127.0.0.1', () => console.log('port ' + server.address().port));`;

let child: ChildProcess;
let said: string;
let url: string;
let ended: Promise<number | null>;

beforeEach(async () => {
  said = '';
  child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', PROGRAM], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  ended = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  child.stdout?.on('data', (bytes: Buffer) => (said += bytes.toString('utf8')));
  await expect.poll(() => said, { timeout: 30_000 }).toMatch(/port \d+/);
  url = `http://127.0.0.1:${/port (\d+)/.exec(said)?.[1]}`;
});
afterEach(async () => {
  child.kill('SIGKILL');
  await ended;
});

const ask = (path: string) => fetch(`${url}${path}`).then((answer) => answer.text());
const untilAsked = async (path: string) => {
  const answer = ask(path).catch(() => 'cut');
  // The next one is answered when the one before has arrived: both come in order.
  await ask('/quick');
  return answer;
};

describe('a web process that is told to stop', () => {
  test('answers what it was asked, takes no more, closes what it needed, and ends well', async () => {
    const slow = untilAsked('/slow');
    await ask('/quick');
    child.kill('SIGTERM');
    await expect.poll(() => said).toContain('begun');
    await expect(ask('/quick')).rejects.toThrow();
    expect(await slow).toBe('answered');
    expect(await ended).toBe(0);
    expect(
      said
        .trimEnd()
        .split('\n')
        .filter((line) => !line.startsWith('{'))
        .slice(1),
    ).toEqual(['begun', 'finished']);
  });

  test('ends at once by a second signal, whatever is under way', async () => {
    const never = untilAsked('/never');
    await ask('/quick');
    child.kill('SIGINT');
    await expect.poll(() => said).toContain('begun');
    const startedAt = performance.now();
    child.kill('SIGINT');
    expect(await ended).toBe(1);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    expect([await never, said.includes('finished')]).toEqual(['cut', false]);
  });

  test('cuts whoever waits too long, and is gone before whoever started it loses patience', async () => {
    const never = untilAsked('/never');
    await ask('/quick');
    const startedAt = performance.now();
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect([await never, said.includes('finished')]).toEqual(['cut', true]);
  });
});
