import { z } from 'zod';
import {
  type ProfileName,
  type ProfileOverrides,
  type ProfileRules,
  profileNames,
  profileOverrides,
  profileRules,
} from './profiles.ts';
import type { Database } from './store/custody-database.ts';

const profileSetting = z.object({ profile: z.enum(profileNames), overrides: profileOverrides });
const clockSetting = z.object({ offsetMs: z.number() });
const secretsSetting = z.array(z.string().regex(/^whsec_\S+$/)).min(1);
const outageSetting = z.object({ closedUntilMs: z.number(), rejoinAtMs: z.number().nullable() });
const withheldSetting = z.record(z.string(), z.string().regex(/^\d+$/));

/** Until when we are closed, and when a restored copy is brought up to date; both by our own clock. */
export type Outage = z.infer<typeof outageSetting>;

/** What can be changed while the process runs and must outlive a kill: profile, clock, webhook secrets, what a wallet withholds. */
export type CustodySettings = {
  profile(): { profile: ProfileName; overrides: ProfileOverrides; rules: ProfileRules };
  setProfile(profile: ProfileName, overrides: ProfileOverrides): Promise<void>;
  /** Milliseconds between the machine's clock and the provider's. */
  offsetMs(): number;
  setOffsetMs(offsetMs: number): Promise<void>;
  now(): Date;
  outage(): Outage;
  setOutage(outage: Outage): Promise<void>;
  isClosed(): boolean;
  webhookSecrets(): readonly string[];
  setWebhookSecrets(secrets: string[]): Promise<void>;
  /** `network/asset` to the minor units the hot wallet has and pretends not to have. */
  withheld(): Readonly<Record<string, string>>;
  setWithheld(withheld: Record<string, string>): Promise<void>;
};

export async function loadSettings(
  deps: { database: Database },
  input: { profile: string; keyWindowSeconds: number; webhookSecrets: string[] },
): Promise<CustodySettings> {
  const rows = await deps.database.query<{ name: string; value: unknown }>('select name, value from setting');
  const stored = new Map(rows.rows.map((row) => [row.name, row.value]));
  let profile = profileSetting.parse(stored.get('profile') ?? { profile: input.profile, overrides: {} });
  let clock = clockSetting.parse(stored.get('clock') ?? { offsetMs: 0 });
  let secrets = secretsSetting.parse(stored.get('webhook_secrets') ?? input.webhookSecrets);
  let outage = outageSetting.parse(stored.get('outage') ?? { closedUntilMs: 0, rejoinAtMs: null });
  let withheld = withheldSetting.parse(stored.get('withheld') ?? {});

  async function keep(name: string, value: unknown): Promise<void> {
    await deps.database.query(
      'insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value',
      [name, JSON.stringify(value)],
    );
  }

  const now = (): Date => new Date(Date.now() + clock.offsetMs);

  return {
    profile: () => ({ ...profile, rules: profileRules(profile.profile, input.keyWindowSeconds, profile.overrides) }),
    async setProfile(name, overrides) {
      await keep('profile', { profile: name, overrides });
      profile = { profile: name, overrides };
    },
    offsetMs: () => clock.offsetMs,
    async setOffsetMs(offsetMs) {
      await keep('clock', { offsetMs });
      clock = { offsetMs };
    },
    now,
    outage: () => outage,
    async setOutage(next) {
      await keep('outage', next);
      outage = next;
    },
    isClosed: () => now().getTime() < outage.closedUntilMs,
    webhookSecrets: () => secrets,
    async setWebhookSecrets(next) {
      const checked = secretsSetting.parse(next);
      await keep('webhook_secrets', checked);
      secrets = checked;
    },
    withheld: () => withheld,
    async setWithheld(next) {
      await keep('withheld', next);
      withheld = next;
    },
  };
}
