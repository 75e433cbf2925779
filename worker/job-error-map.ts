import { UnrecoverableError } from 'bullmq';
import { ZodError } from 'zod';
import { logger } from '#server/logger.ts';

/**
 * What an error means for the job that met it. The withdrawal is none of the queue's business: its row says where it stands,
 * and whatever becomes of the job the sweeper and the resolver find that row.
 */
export function mapJobError(error: unknown, job: { id: string | undefined; withdrawalId: string | null }): Error {
  const fields = { jobId: job.id, withdrawalId: job.withdrawalId };
  // Not our payload: running it again would not make it ours.
  if (error instanceof ZodError) {
    logger().error('job.payload_refused', error, fields);
    return new UnrecoverableError('the payload is not a withdrawal id');
  }
  // A lost database, a fault point, a bug: the queue wakes the row once more.
  logger().error('job.failed', error, fields);
  return error instanceof Error ? error : new Error(String(error));
}
