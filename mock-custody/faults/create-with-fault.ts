import { setTimeout as delay } from 'node:timers/promises';
import type { CreateDoor } from '../create-door.ts';
import type { CreateRequest } from '../create-request.ts';
import type { CreateOutcome } from '../create-transfer.ts';
import { answered, type Reply } from '../http/reply.ts';
import { type Answer, problem } from '../problem.ts';
import type { Fault } from './fault-kinds.ts';

// How long webhook_before_answer holds the answer back for a receiver that does not take the event.
const EVENT_FIRST_MAX_MS = 3_000;
// A stalled body ends at last, so that a client without a time-out of its own does not hang for ever.
const STALL_MS = 120_000;

type Execute = (forced?: { refusal?: string; shortOfFunds?: boolean }) => Promise<CreateOutcome>;

/** What a client sees of a create request that meets a fault; whether a transfer is made is part of each fault. */
export async function createWithFault(
  deps: {
    execute: Execute;
    door: CreateDoor;
    clientGone: AbortSignal;
    note: (outcome: string, status: number | null) => void;
    log: (event: string, fields: object) => void;
  },
  input: { fault: Fault; request: CreateRequest; burnsKey: boolean },
): Promise<Reply> {
  const { execute } = deps;
  const { fault, request } = input;

  function nothingMade(answer: Answer): Reply {
    deps.note(fault.kind, answer.status);
    return answered(answer);
  }

  async function internalError(): Promise<Answer> {
    const answer = fault.status === 500 ? problem(500, 'internal_error') : gatewayPage(fault.status);
    if (input.burnsKey && fault.status === 500)
      await deps.door.burnKey({ key: request.idempotencyKey, bodyHash: request.bodyHash, answer: answer.body });
    return answer;
  }

  switch (fault.kind) {
    case 'slow': {
      const { answer } = await execute();
      await delay(fault.delayMs);
      return answered(answer);
    }
    case 'execute_then_drop':
      await execute();
      return { kind: 'drop' };
    case 'execute_late':
      void delay(fault.delayMs)
        .then(() => execute())
        .catch((cause: unknown) => deps.log('execute_late.failed', { error: String(cause) }));
      await gone(deps.clientGone);
      return { kind: 'drop' };
    case 'body_stalls':
      return { kind: 'stall', answer: (await execute()).answer, forMs: STALL_MS };
    case 'error_before':
      return nothingMade(await internalError());
    case 'error_after':
      await execute();
      return answered(await internalError());
    case 'html_200':
      await execute();
      return answered({
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<html><body>Welcome</body></html>',
      });
    case 'truncated_json':
      return { kind: 'truncate', answer: (await execute()).answer };
    case 'rate_limit':
      return nothingMade(problem(429, 'rate_limited', {}, { 'retry-after': '1' }));
    case 'unauthorized':
      return nothingMade(problem(401, 'unauthorized'));
    case 'forbidden':
      return nothingMade(problem(403, 'forbidden'));
    case 'refuse_503':
      return nothingMade(problem(503, 'maintenance', {}, { 'retry-after': '1' }));
    case 'reject':
      return answered((await execute({ refusal: fault.code ?? 'address_rejected' })).answer);
    case 'insufficient_funds':
      return answered((await execute({ shortOfFunds: true })).answer);
    case 'odd_echo': {
      const { answer } = await execute();
      return answered({ ...answer, body: answer.body.replace(/("address"\s*:\s*")[^"]*/, '$1somebody-else') });
    }
    case 'webhook_before_answer': {
      const { answer, created } = await execute();
      const until = performance.now() + EVENT_FIRST_MAX_MS;
      while (
        created !== null &&
        performance.now() < until &&
        !(await deps.door.acceptedEventDelivered(created.transferId))
      )
        await delay(10);
      return answered(answer);
    }
    default:
      throw new Error(`the fault ${fault.kind} does not strike a create request`);
  }
}

function gatewayPage(status: number): Answer {
  return {
    status,
    headers: { 'content-type': 'text/html' },
    body: `<html><body><h1>${status}</h1><p>gateway</p></body></html>`,
  };
}

function gone(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
