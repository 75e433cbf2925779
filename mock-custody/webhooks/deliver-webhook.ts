import { Webhook } from 'standardwebhooks';
import { postText } from '../post-text.ts';

export type Delivery = { id: string; body: string };

// A receiver stores and answers; one that needs longer is asked again later.
const TIMEOUT_MS = 10_000;

/** One POST by the Standard Webhooks rules, signed with every secret in force. True only for a 2xx. */
export async function deliverWebhook(
  deps: { url: string; secrets: readonly string[]; now: Date },
  input: Delivery & { forged?: boolean },
): Promise<boolean> {
  const secrets = input.forged === true ? ['whsec_Zm9yZ2VkIGJ5IHNvbWVib2R5IGVsc2U='] : deps.secrets;
  const signature = secrets.map((secret) => new Webhook(secret).sign(input.id, deps.now, input.body)).join(' ');
  try {
    const { status } = await postText({
      url: deps.url,
      headers: {
        'webhook-id': input.id,
        'webhook-timestamp': Math.floor(deps.now.getTime() / 1000).toString(),
        'webhook-signature': signature,
      },
      body: input.body,
      timeoutMs: TIMEOUT_MS,
    });
    return status >= 200 && status < 300;
  } catch {
    // Refused, reset, too slow: whatever it was, it was not a 2xx, and the event stays due.
    return false;
  }
}
