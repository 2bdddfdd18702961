import { WebhookDisabler } from '../../../../src/webhooks/delivery/webhook-disabler.job.js';
import { word } from '../records.js';
import { keepOne } from '../room.js';
import type { Surface } from '../surface.js';
import type { Tenant } from '../tenant.js';

const NO_ID = '00000000-0000-0000-0000-000000000000';

const webhook = (tenant: Tenant) => ({
  url: `https://${tenant.marker}.example.com/${word()}`,
  isEnabled: true,
  events: ['user.created'],
  signatures: ['v1'],
  ordering: 'user',
  headers: [{ name: 'x-key', value: 'value' }],
});

async function makeWebhook({ world, marker }: Tenant): Promise<string> {
  const body = { url: `https://${marker}.example.com/hook`, isEnabled: true, events: ['user.created'] };
  const made = await world.api.post<{ webhookId: string }>(world.path('/webhooks'), body, { expect: 201 });
  return made.body.webhookId;
}

/** An event about the tenant's records that contains its marker. */
async function findEvent(tenant: Tenant): Promise<string> {
  await tenant.idOf('userId');
  const sql = 'SELECT id FROM events WHERE environment_id = $1 AND data::text LIKE $2 LIMIT 1';
  const found = await tenant.db.query<{ id: string }>(sql, [tenant.ids['environmentId'], `%${tenant.marker}%`]);
  return found.rows[0]!.id;
}

/** A message with one delivery, as the worker would leave them. */
async function makeMessage(tenant: Tenant): Promise<string> {
  const { db, ids, marker } = tenant;
  const values = [ids['environmentId'], await tenant.idOf('webhookId'), await findEvent(tenant)];
  const sql = `INSERT INTO webhook_messages (environment_id, id, webhook_id, event_id, status, attempts)
    VALUES ($1, gen_random_uuid(), $2, $3, 'failed', 1) RETURNING id`;
  const message = (await db.query<{ id: string }>(sql, values)).rows[0]!.id;
  await db.query(
    `INSERT INTO webhook_deliveries (environment_id, id, message_id, attempt, status, request, response, delivered_at)
     VALUES ($1, gen_random_uuid(), $2, 1, 'failed', $3, $3, now())`,
    [ids['environmentId'], message, JSON.stringify({ headers: {}, body: marker })],
  );
  return message;
}

async function makeReplay(tenant: Tenant): Promise<string> {
  const sql = `INSERT INTO webhook_replays (environment_id, id, webhook_id, selection, since, until, from_id,
      end_id, position, state, ended_at)
    VALUES ($1, gen_random_uuid(), $2, 'all', now(), now(), $3, $3, $3, 'completed', now()) RETURNING id`;
  const values = [tenant.ids['environmentId'], await tenant.idOf('webhookId'), NO_ID];
  return (await tenant.db.query<{ id: string }>(sql, values)).rows[0]!.id;
}

/** Ends the tenant's replays, except one that should be in progress. */
async function replaysEnded({ db, ids }: Tenant, but: string | null = null): Promise<void> {
  const end = "UPDATE webhook_replays SET state = 'completed', ended_at = now() WHERE environment_id = $1";
  await db.query(end, [ids['environmentId']]);
  const go = "UPDATE webhook_replays SET state = 'running', ended_at = NULL WHERE environment_id = $1 AND id = $2";
  if (but) await db.query(go, [ids['environmentId'], but]);
}

async function aReceiverIsGone(tenant: Tenant): Promise<void> {
  const webhookId = await tenant.makeRecord('webhookId');
  const { rows } = await tenant.db.query<{ url: string }>('SELECT url FROM webhooks WHERE id = $1', [webhookId]);
  const target = { environmentId: tenant.world.environmentId, webhookId, url: rows[0]!.url };
  await tenant.world.test.app.get(WebhookDisabler).disable(target, 'gone');
}

async function aSecretIsShown(tenant: Tenant): Promise<void> {
  const { world } = tenant;
  await keepOne('webhooks', 'environmentId', 'webhookId')(tenant);
  const { body } = await world.api.post<{ webhookId: string }>(world.path('/webhooks'), webhook(tenant), {
    expect: 201,
  });
  await world.api.get(world.path(`/webhooks/${body.webhookId}?includeSecret=true`), { expect: 200 });
}

const NOTHING_CHANGES = 'sends a message again and changes nothing';

export const surface: Surface = {
  records: {
    webhookId: { make: makeWebhook },
    messageId: { make: makeMessage },
    replayId: { make: makeReplay },
    eventId: { make: findEvent },
  },
  operations: {
    getEvents: { request: () => ({ query: 'resourceType=user&startDate=2026-01-01' }) },
    createWebhook: {
      request: async (tenant) => {
        await keepOne('webhooks', 'environmentId', 'webhookId')(tenant);
        return { body: webhook(tenant) };
      },
    },
    getWebhook: {
      request: () => ({ query: 'includeSecret=false' }),
      toldSometimes: { 'webhook.secret.revealed': 'when the secret is asked for' },
    },
    // With header fields, members need a proof.
    updateWebhookById: { request: (tenant) => ({ body: { ...webhook(tenant), headers: [] } }) },
    rotateWebhookSecret: { request: () => ({ body: { overlapHours: 0 } }) },
    redeliverWebhookMessage: { untold: NOTHING_CHANGES, unrecorded: NOTHING_CHANGES },
    createWebhookReplay: {
      request: async (tenant) => {
        await replaysEnded(tenant);
        return { body: { messages: 'failed', startDate: '2026-01-01', endDate: '2026-12-31T12:00:00Z' } };
      },
      toldSometimes: { 'webhook.replay.ended': 'by the job, when it is done' },
    },
    cancelWebhookReplay: {
      request: async (tenant) => {
        await replaysEnded(tenant, tenant.ids['replayId']);
        return {};
      },
    },
  },
  scenarios: { 'a receiver that is gone': aReceiverIsGone, 'a secret that is shown': aSecretIsShown },
  commands: {
    'webhooks replay': {
      options: async (tenant) => {
        await replaysEnded(tenant);
        const replay = ['--messages', 'failed', '--start-date', '2026-01-01', '--detach'];
        return [
          '--environment',
          tenant.world.environmentId,
          '--webhook',
          await tenant.makeRecord('webhookId'),
          ...replay,
        ];
      },
    },
    listen: { reachesOut: true, untold: 'only reads' },
    trigger: { reachesOut: true, untold: 'sends what has not happened, and stores nothing' },
  },
};
