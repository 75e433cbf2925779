/** A message as it is sent. The same `messageId` on a repeat lets a mailbox show one message. */
export interface Mail {
  readonly messageId: string;
  readonly userId: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** What became of a message: taken, certainly not taken, or nobody can tell. */
export type Delivery =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'not_delivered'; readonly detail: string }
  | { readonly kind: 'unclear'; readonly detail: string };

/** A way to send mail. It never throws for what the network or the server does. */
export interface Mailer {
  deliver(mail: Mail): Promise<Delivery>;
  close(): void;
}
