import { createCustodyControl } from '#e2e/proof/custody-control.ts';
import { stack } from './running-stack.ts';

/** Custody's log and switches, in the stack that all specs share. */
export const custody = createCustodyControl(stack.urls.custody);
