/**
 * What an adapter declares about its provider. Every rule about doubt reads these and never the provider's name, so the
 * same code keeps the promise under each kind of provider.
 */
export interface CustodyCapabilities {
  /** A second transfer under the same external reference is refused for ever. */
  readonly referenceKept: boolean;
  /** A transfer can be asked for by its exact external reference. */
  readonly searchableByReference: boolean;
  /** Past the not-after of a request nothing is made of it, checked where the transfer is created. */
  readonly notAfterHonoured: boolean;
  /** A refusal is kept under the reference and shown by a look-up. */
  readonly refusalsKept: boolean;
  /** The search for a duplicate comes before every other check of a request. */
  readonly duplicateCheckFirst: boolean;
  /** The provider states that no proxy of theirs repeats a request. */
  readonly requestsNeverRepeated: boolean;
  /** How long the idempotency key is remembered. */
  readonly keyWindowMs: number;
  /** How far a look-up may lag behind a create. */
  readonly readLagMs: number;
  /** The longest life of one request at the provider. */
  readonly maxRequestMs: number;
}

/** Before this much time has passed since a send, "not found" means nothing. */
export function quietPeriodMs(capabilities: CustodyCapabilities): number {
  return capabilities.maxRequestMs + capabilities.readLagMs;
}

/**
 * Whether we may start with this provider. With neither a permanent reference nor a not-after its rows in doubt can only
 * be settled by its signed statement, which somebody must have accepted by name.
 */
export function mayStartWith(capabilities: CustodyCapabilities, acceptedByName: boolean): boolean {
  return capabilities.referenceKept || capabilities.notAfterHonoured || acceptedByName;
}
