/** A broken promise, with what shows it. */
export interface Violation {
  readonly promise:
    | 'at most one transfer'
    | 'every transfer has one withdrawal'
    | 'completed is one transfer'
    | 'ended unpaid is no transfer'
    | 'nothing accepted is lost'
    | 'one key is one withdrawal'
    | 'nothing is left unresolved'
    | 'review only where nothing else is left'
    | 'the books are right'
    | 'no status comes back'
    | 'everybody sees the same'
    | 'nothing of our insides is shown'
    | 'one request an attempt'
    | 'everything was reached'
    | 'every act came to its end'
    | 'it ends in time';
  readonly about: string;
  readonly detail: string;
}
