import { waitUntil } from '#stack/wait-until.ts';
import { askDatabase } from './database.ts';

/** The link of the newest mail that leads to a page, once the worker has delivered it. */
export async function linkOfMail(
  email: string,
  page: 'verify-email' | 'reset-password' | 'lost-second-factor',
): Promise<string> {
  let link: string | null = null;
  await waitUntil(
    async () => {
      const [mail] = await askDatabase<{ body: string }>(
        `select body from mailbox_messages where to_address = $1 and body like $2 order by received_at desc limit 1`,
        [email, `%/${page}?%`],
      );
      link = mail?.body.match(/https?:\/\/\S+/)?.[0] ?? null;
      return link !== null;
    },
    { what: `no ${page} mail came`, withinMs: 30_000, everyMs: 200 },
  );
  return link ?? '';
}
