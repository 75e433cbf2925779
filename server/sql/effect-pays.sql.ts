/**
 * Whether a row of effects pays a withdrawal `w` on its pair `n`: equal in contract, receiver, memo and amount. `paysWithdrawal` of the
 * domain judges the same once more when it is final.
 */
export function effectPays(effect: string): string {
  return `chain_text(n.contract) is not distinct from ${effect}.contract and chain_text(w.address) = ${effect}.to_address
      and w.memo is not distinct from ${effect}.memo and w.amount_minor = ${effect}.amount_minor`;
}
