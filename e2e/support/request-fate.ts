import type { Page, Request, Route } from '@playwright/test';
import { LOOK_UP_CALL, REQUEST_CALL } from './review-page.ts';
import { stack } from './running-stack.ts';

/**
 * What becomes of the next request for a withdrawal of this page. `unanswered`: it arrives, and the page waits for an answer
 * for ever; `answer_lost`: it arrives, and the connection breaks; `stuck` and `lost`: the same, and it never arrives.
 *
 * @returns resolves once that has happened, with the request as the page sent it
 */
export async function setFate(
  page: Page,
  fate: 'unanswered' | 'answer_lost' | 'stuck' | 'lost',
): Promise<{
  happened: Promise<Request>;
}> {
  let report: (request: Request) => void = () => undefined;
  const happened = new Promise<Request>((resolve) => {
    report = resolve;
  });
  const decide = async (route: Route) => {
    if (fate === 'unanswered' || fate === 'answer_lost') await route.fetch();
    if (fate === 'answer_lost' || fate === 'lost') await route.abort('connectionreset');
    report(route.request());
  };
  await page.route(REQUEST_CALL, decide, { times: 1 });
  return { happened };
}

/** Keeps the page from finding out by itself, so that a test presses before the page has looked. */
export async function breakLookUps(page: Page): Promise<{ mend: () => Promise<void> }> {
  await page.route(LOOK_UP_CALL, (route) => route.abort('connectionreset'));
  return { mend: () => page.unroute(LOOK_UP_CALL) };
}

/** Delivers a copy of a request that the network kept for a while. */
export async function deliverLate(page: Page, request: Request): Promise<number> {
  const { 'idempotency-key': key = '' } = request.headers();
  const answer = await page.context().request.post(request.url(), {
    headers: { origin: stack.urls.web, 'idempotency-key': key },
    data: request.postDataJSON(),
  });
  return answer.status();
}
