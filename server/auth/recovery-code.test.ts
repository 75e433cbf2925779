import { expect, test } from 'vitest';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-code.ts';

test('ten codes, none twice, without letters and digits that are mistaken for each other', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^[a-hj-kmnp-z2-9]{5}-[a-hj-kmnp-z2-9]{5}$/);
});

test('spaces, dashes and capitals do not matter, anything else and anybody else does', () => {
  const hash = hashRecoveryCode('ada', 'abcde-fgh23');
  for (const typed of ['ABCDE FGH23', ' abcdefgh23 ', 'abcde–fgh23']) expect(hashRecoveryCode('ada', typed)).toBe(hash);
  expect(hashRecoveryCode('ada', 'abcde-fgh24')).not.toBe(hash);
  expect(hashRecoveryCode('ben', 'abcde-fgh23')).not.toBe(hash);
});
