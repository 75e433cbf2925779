import { connectStack } from '#stack/connect-stack.ts';

/** The stack that all specs share; the runner names it in STACK_FILE. */
export const stack = connectStack();
