'use client';

import { en, type Words } from './en.ts';

/** The words of the person's language. One language so far; the place where the choice is made is this. */
export function useWords(): Words {
  return en;
}
