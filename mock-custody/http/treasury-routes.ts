import { z } from 'zod';
import { parseAmount } from '../amount-text.ts';
import { findAsset } from '../asset-table.ts';
import type { CustodySettings } from '../custody-settings.ts';
import type { HotWalletFunds } from '../hot-wallet-funds.ts';
import { json, problem } from '../problem.ts';
import { parseJsonBody } from './json-body.ts';
import { answered, type Reply } from './reply.ts';
import type { Route, RouteContext } from './route.ts';

const redeliverOrder = z.object({ id: z.string().min(1) }).strict();
const secretsOrder = z
  .object({
    secrets: z
      .array(z.string().regex(/^whsec_[A-Za-z0-9+/=]+$/))
      .min(1)
      .max(5),
  })
  .strict();
const walletOrder = z.object({ asset: z.string(), network: z.string(), available: z.string().nullable() }).strict();

/** What a provider's own staff would do by hand: send an event again, rotate a secret, empty a wallet, replace a transaction. */
export function treasuryRoutes(
  deps: { settings: CustodySettings; funds: HotWalletFunds },
  input: {
    redeliver: (id: string) => Promise<boolean>;
    replace: (transferId: string) => Promise<{ hash: string; replaces: string } | null>;
  },
): Route[] {
  const { settings } = deps;

  const redeliver = (context: RouteContext): Promise<Reply> =>
    parseJsonBody(context, redeliverOrder, async ({ id }) =>
      answered((await input.redeliver(id)) ? json(202, { id }) : problem(404, 'not_found')),
    );

  const setSecrets = (context: RouteContext): Promise<Reply> =>
    parseJsonBody(context, secretsOrder, async ({ secrets }) => {
      await settings.setWebhookSecrets(secrets);
      return answered(json(200, { secrets: secrets.length }));
    });

  const shortenWallet = (context: RouteContext): Promise<Reply> =>
    parseJsonBody(context, walletOrder, async ({ asset, network, available }) => {
      const known = findAsset(asset, network);
      const availableMinor = known === undefined || available === null ? null : parseAmount(available, known.decimals);
      if (known === undefined || (available !== null && availableMinor === null))
        return answered(problem(400, 'invalid_request', { detail: 'asset, network or available' }));
      await deps.funds.pretend(known.network, asset, availableMinor);
      return answered(json(200, { asset, network, available }));
    });

  async function replace({ params }: RouteContext): Promise<Reply> {
    const replaced = await input.replace(params.id ?? '');
    return answered(replaced === null ? problem(404, 'not_found') : json(201, replaced));
  }

  return [
    {
      method: 'POST',
      path: '/control/webhooks/redeliver',
      access: 'local',
      doc: {
        summary: 'Sends an event again under its old id',
        body: redeliverOrder,
        answers: { 202: { description: 'It will be sent' } },
        problems: { 400: 'invalid_request', 404: 'not_found' },
      },
      handle: redeliver,
    },
    {
      method: 'PUT',
      path: '/control/webhooks/secrets',
      access: 'local',
      doc: {
        summary: 'Rotates the webhook secrets; every event is signed with each of them',
        body: secretsOrder,
        answers: { 200: { description: 'How many are in force' } },
        problems: { 400: 'invalid_request' },
      },
      handle: setSecrets,
    },
    {
      method: 'PUT',
      path: '/control/hot-wallet',
      access: 'local',
      doc: {
        summary: 'Lets a hot wallet run short; null ends the pretence',
        body: walletOrder,
        answers: { 200: { description: 'What it pretends to have' } },
        problems: { 400: 'invalid_request' },
      },
      handle: shortenWallet,
    },
    {
      method: 'POST',
      path: '/control/transfers/{id}/replace',
      access: 'local',
      doc: {
        summary: 'Signs another transaction for a transfer that hangs',
        answers: { 201: { description: 'The new hash and the one it replaces' } },
        problems: { 404: 'not_found' },
      },
      handle: replace,
    },
  ];
}
