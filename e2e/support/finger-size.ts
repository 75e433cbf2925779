import { expect, type Page } from '@playwright/test';
import { overflowOf } from './look-at.ts';

/** Every control is as large as a finger, and nothing is wider than the screen; links in a sentence are as small as their words. */
export async function expectFingerSize(page: Page): Promise<void> {
  const tooSmall = await page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'button, select, input:not([type=radio], [type=checkbox]), textarea, a.inline-flex',
      ),
    ]
      .filter((control) => control.checkVisibility())
      .filter((control) => {
        const { height, width } = control.getBoundingClientRect();
        return width > 1 && (height < 44 || width < 44);
      })
      .map((control) => control.outerHTML.slice(0, 160)),
  );
  expect.soft(tooSmall, page.url()).toEqual([]);
  expect.soft(await page.evaluate(overflowOf), `${page.url()} is wider than the screen`).toBeLessThanOrEqual(0);
}
