/** Who somebody is to us. The database checks the same list (`users_role`). */
export const ROLES = ['customer', 'operator', 'approver', 'auditor'] as const;

export type Role = (typeof ROLES)[number];

/** The role of this name, or null. */
export function toRole(text: string): Role | null {
  return ROLES.find((role) => role === text) ?? null;
}

/** Staff look at everybody's withdrawals, and own none. */
export function isStaff(role: Role): boolean {
  return role !== 'customer';
}
