import { test as base, type Locator } from '@playwright/test';
import { freshAddress } from './chain.ts';
import { type Customer, openFundedCustomer } from './customer.ts';
import { expectFingerSize } from './finger-size.ts';
import type { Order } from './oracle.ts';
import { openReview, watchKeys } from './review-page.ts';

interface OpenedReview {
  readonly order: Order;
  /** The key of every request for a withdrawal that has left the browser, as they leave. */
  readonly keys: readonly string[];
  /** The one that moves money, not yet pressed. */
  readonly button: Locator;
}

/**
 * A test with a new, funded customer, signed in to the browser that it drives. `openNewReview` brings the page to the review of
 * a withdrawal of so much USDC to an address that nobody used before.
 */
export const test = base.extend<{ customer: Customer; openNewReview: (amount: string) => Promise<OpenedReview> }>({
  customer: async ({ context, page, isMobile }, use) => {
    await use(await openFundedCustomer(context.request));
    if (isMobile && !page.isClosed()) await expectFingerSize(page);
  },
  openNewReview: async ({ page, context, customer }, use) => {
    await use(async (amount) => {
      const order = { customerId: customer.userId, address: freshAddress(), amount };
      const keys = watchKeys(context);
      return { order, keys, button: await openReview(page, order) };
    });
  },
});
