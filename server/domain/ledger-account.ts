/** The chart of accounts. Balances of customers are what we owe them; custody's hot wallet is what we own. */
export const ACCOUNT_KINDS = [
  'customer_available',
  'customer_held',
  'customer_receivable',
  'custody_hot',
  'withdrawal_fees',
  'network_costs',
  'suspense',
  'opening',
] as const;

export type AccountKind = (typeof ACCOUNT_KINDS)[number];

const CUSTOMER_ACCOUNT_KINDS: ReadonlySet<AccountKind> = new Set([
  'customer_available',
  'customer_held',
  'customer_receivable',
]);

/** Whether an account of this kind belongs to one customer; the rest are the house's, one of each an asset. */
export function isCustomerAccount(kind: AccountKind): boolean {
  return CUSTOMER_ACCOUNT_KINDS.has(kind);
}
