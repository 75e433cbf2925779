import type { Role } from '#server/auth/roles.ts';

/** By what they are called at the door of the demo. */
export const DEMO_NAMES = ['alice', 'bob', 'olga', 'oscar', 'petra', 'ada'] as const;

export interface DemoPerson {
  readonly who: (typeof DEMO_NAMES)[number];
  readonly name: string;
  readonly role: Role;
  /**
   * The secret in their authenticator, in base32; null for none. As public as the password: it shows how deeds are confirmed,
   * and protects nothing.
   */
  readonly totpSecret: string | null;
}

/** The people of the demo. They exist only where the seed ran in demo mode. */
export const DEMO_PEOPLE: readonly DemoPerson[] = [
  { who: 'alice', name: 'Alice Amsel', role: 'customer', totpSecret: null },
  { who: 'bob', name: 'Bob Brandt', role: 'customer', totpSecret: null },
  { who: 'olga', name: 'Olga Orlow', role: 'operator', totpSecret: 'DEMOOLGADEMOOLGADEMOOLGADEMO2345' },
  { who: 'oscar', name: 'Oscar Otten', role: 'approver', totpSecret: 'DEMOOSCARDEMOOSCARDEMOOSCAR23456' },
  // What is worth more than the second limit needs two of them.
  { who: 'petra', name: 'Petra Pohl', role: 'approver', totpSecret: 'DEMOPETRADEMOPETRADEMOPETRA23456' },
  // Sees everything and changes nothing.
  { who: 'ada', name: 'Ada Albers', role: 'auditor', totpSecret: 'DEMOADAADEMOADAADEMOADAADEMO2345' },
];

/** Printed at every start, so it protects nothing: demo mode is refused where others could reach it. */
export const DEMO_PASSWORD = 'demo-only-password';

/** Their address to sign in with. */
export function demoEmail(who: DemoPerson['who']): string {
  return `${who}@demo.cryptoex.test`;
}
