import type { Site } from '#server/auth/check-step-up.ts';
import { type ConfirmDeed, confirmWith } from '#server/auth/confirm-deed.ts';
import type { StepUp } from '#server/auth/step-up-schema.ts';

/** Who does a deed, and how they confirm it: what a deed that needs a second factor is given of its caller. */
export function confirmedBy(
  ctx: { readonly site: Site; readonly session: { readonly userId: string } },
  stepUp: StepUp | null,
): { actorId: string; confirm: ConfirmDeed } {
  const { userId } = ctx.session;
  return { actorId: userId, confirm: confirmWith(ctx.site, { userId, stepUp }) };
}
