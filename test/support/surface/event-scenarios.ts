import { COMMANDS } from '../../../src/cli/commands.js';
import { EnvironmentPromotion } from '../../../src/environments/index.js';
import { HostnameChecks } from '../../../src/environments/hostnames/hostname-checks.service.js';
import type { CustomHostnameEntity } from '../../../src/environments/hostnames/custom-hostname.entity.js';
import { WebhookDisabler } from '../../../src/webhooks/delivery/webhook-disabler.job.js';
import { newEmail } from '../world.js';
import { word, type RecordIds, type Tenant } from './tenant.js';

type Play = (tenant: Tenant) => Promise<unknown>;

/** What jobs tell, and operations when they are not called as everybody calls them. */
export const EVENT_SCENARIOS: Record<string, Play> = {
  'a rejected invite': async (tenant) => {
    const id = await tenant.makeRecord('receivedInviteId');
    await tenant.world.owner.put(`/invites/${id}`, { status: 'rejected' }, { expect: 200 });
  },
  'a host name without records': async (tenant) => {
    const id = await tenant.makeRecord('customHostnameId');
    const late = `UPDATE custom_hostnames SET status_since = now() - interval '8 d' WHERE id = $1
      RETURNING id, environment_id AS "environmentId", hostname, challenge`;
    const { rows } = await tenant.db.query<CustomHostnameEntity>(late, [id]);
    await tenant.world.test.app.get(HostnameChecks).check(tenant.world.environmentId, rows[0]!);
  },
  'a receiver that is gone': async (tenant) => {
    const webhookId = await tenant.makeRecord('webhookId');
    const { rows } = await tenant.db.query<{ url: string }>('SELECT url FROM webhooks WHERE id = $1', [webhookId]);
    const target = { environmentId: tenant.world.environmentId, webhookId, url: rows[0]!.url };
    await tenant.world.test.app.get(WebhookDisabler).disable(target, 'gone');
  },
};

const somebodySignedIn = async ({ world }: Tenant): Promise<RecordIds> => ({
  userId: (await world.signIn(newEmail())).userId,
});

/** Records for operations that find nothing to do on those of the tenant. */
export const FITTING_RECORDS: Record<string, (tenant: Tenant) => Promise<RecordIds>> = {
  revokeUserSessions: somebodySignedIn,
  revokeUserSessionsLegacy: somebodySignedIn,
};

/** What an operator types, by command; those that only read or print are not here. */
const COMMAND_WORDS: Record<string, (tenant: Tenant) => Promise<string[]>> = {
  'keys rotate': async () => [],
  'signing-keys rotate': async ({ world }) => ['--environment', world.environmentId],
  'billing coupon create': async () => ['--code', word(), '--trial-days', '7'],
  'organizations create': async () => ['--name', word(), '--owner', newEmail()],
  promote: async ({ world }) => {
    const [from, to] = [world.environmentId, world.ids.environments.live];
    const { digest } = await world.test.app
      .get(EnvironmentPromotion)
      .plan({ from, to, prune: false, except: ['webhooks'] });
    return ['--from', from, '--to', to, '--except', 'webhooks', '--apply', digest];
  },
};

/** Commands that reach out to programs of their own; test/e2e/cli-events shows that they leave no event. */
const REACHING_OUT = ['listen', 'trigger'];

/** Types a command. */
export async function playCommand(tenant: Tenant, words: string): Promise<void> {
  if (REACHING_OUT.includes(words)) return;
  const command = COMMANDS.find((each) => each.words === words);
  const options = (await COMMAND_WORDS[words]?.(tenant)) ?? [];
  if (command?.run) await command.run(tenant.world.test.app, options);
}

/** Lets a published signing key sign: as if a day had passed. */
export async function promoteSigningKey(tenant: Tenant): Promise<void> {
  const aged =
    "UPDATE signing_keys SET created_at = now() - interval '2 d' WHERE environment_id = $1 AND status = 'next'";
  await tenant.db.query(aged, [tenant.world.environmentId]);
  await playCommand(tenant, 'signing-keys rotate');
}
