import { test as base } from '@playwright/test';
import { type Customer, openFundedCustomer } from './customer.ts';

/** A test with a new, funded customer, signed in to the browser that it drives. */
export const test = base.extend<{ customer: Customer }>({
  customer: async ({ context }, use) => {
    await use(await openFundedCustomer(context.request));
  },
});
