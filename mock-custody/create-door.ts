import type { CreateRequest } from './create-request.ts';
import type { CreateOutcome } from './create-transfer.ts';

/** What a create request may do to our books, whatever fault it meets on the way. */
export type CreateDoor = {
  create: (input: { request: CreateRequest; refusal: string | null; shortOfFunds: boolean }) => Promise<CreateOutcome>;
  /** The key answers an internal error from now on, where it was not used yet. */
  burnKey: (input: { key: string; bodyHash: string; answer: string }) => Promise<void>;
  acceptedEventDelivered: (transferId: string) => Promise<boolean>;
};
