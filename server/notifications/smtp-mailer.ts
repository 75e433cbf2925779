import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { Delivery, Mailer } from '#server/notifications/mailer.ts';

const SENDER = { name: 'CryptoEx', address: 'no-reply@cryptoex.test' };
/** For each step: a mail server that is slower than that is down for us. */
const STEP_TIMEOUT_MS = 10_000;

/** Sends by SMTP. @param input.url `smtp://user:password@host:port` or `smtps://…` */
export function createSmtpMailer(input: { url: string; timeoutMs?: number }): Mailer {
  const timeout = input.timeoutMs ?? STEP_TIMEOUT_MS;
  const times = { connectionTimeout: timeout, greetingTimeout: timeout, socketTimeout: timeout };
  const transport = createTransport({ url: input.url, ...times });
  return {
    deliver: async (mail) => {
      const { messageId, to, subject, text } = mail;
      try {
        await transport.sendMail({ from: SENDER, to, subject, text, messageId });
        return { kind: 'delivered' };
      } catch (error) {
        return sortMailError(error);
      }
    },
    close: () => transport.close(),
  };
}

const errorSchema = z.object({
  message: z.string().default(''),
  code: z.string().optional(),
  responseCode: z.number().optional(),
  syscall: z.string().optional(),
});

/** Only what the server itself said, or what broke before it could hear us, is a certain no. */
function sortMailError(error: unknown): Delivery {
  const { message, code, responseCode, syscall } = errorSchema.parse(error);
  const detail = `${code ?? 'error'}: ${message}`.slice(0, 300);
  const isCertain = responseCode !== undefined || syscall === 'connect' || code === 'EDNS' || code === 'EAUTH';
  return { kind: isCertain ? 'not_delivered' : 'unclear', detail };
}
