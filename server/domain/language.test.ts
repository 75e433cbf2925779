import { expect, test } from 'vitest';
import { chooseLanguage } from './language.ts';

test.each([
  ['de', 'en-US,en;q=0.9', 'de'],
  ['en', 'de-DE,de;q=0.9', 'en'],
  ['fr', 'de-DE,de;q=0.9,en;q=0.8', 'de'],
  [undefined, 'de-CH, de;q=0.9, en;q=0.8', 'de'],
  [undefined, 'en-GB,en;q=0.9,de;q=0.8', 'en'],
  [undefined, 'fr-FR,de;q=0.5,en;q=0.7', 'en'],
  [undefined, 'fr-FR, de ; q=0.7 , en;q=0.5', 'de'],
  [undefined, 'de;q=0,en;q=0.1', 'en'],
  [undefined, 'de;q=much', 'en'],
  [undefined, '*', 'en'],
  [undefined, '', 'en'],
  [undefined, null, 'en'],
] as const)('chosen %s, accepted %s: %s', (chosen, accepted, language) => {
  expect(chooseLanguage({ chosen, accepted })).toBe(language);
});
