'use client';

import { enOperator, type OperatorWords } from './en-operator.ts';

/** The operators' words, apart from the customers' so that neither downloads the other's. */
export function useOperatorWords(): OperatorWords {
  return enOperator;
}
