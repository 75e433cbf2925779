import { type ClassValue, clsx } from 'clsx';

/** Joins class names; nobody overrides a primitive's own, so nothing has to be merged by meaning. */
export function classNames(...values: ClassValue[]): string {
  return clsx(values);
}
