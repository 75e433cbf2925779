import { expect, it } from 'vitest';
import { jobIdOf } from '#server/queue/job-catalog.ts';

it('another number is another job, and the same number is the same job', () => {
  const withdrawalId = '01890a5d-ac96-774b-bcce-b302099a8057';
  const first = jobIdOf({ withdrawalId, outboxId: '1' });
  expect(jobIdOf({ withdrawalId, outboxId: '2' })).not.toBe(first);
  expect(jobIdOf({ withdrawalId, outboxId: '1' })).toBe(first);
});
