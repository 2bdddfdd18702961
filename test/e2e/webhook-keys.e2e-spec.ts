import { createPublicKey, verify } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { Envelope, generateMasterKey, parseKeyRing, SealedRecordsRegistry } from '../../src/vault/index.js';
import { SealedSecretsRepository } from '../../src/webhooks/sealed-secrets.repository.js';
import { WebhookSecrets, type SealedKeys } from '../../src/webhooks/webhook-secrets.js';
import { WebhooksRepository } from '../../src/webhooks/webhooks.repository.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { auditOf } from '../support/audit.js';
import { eventually, Receiver, type Received } from '../support/receiver.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { newEmail, World } from '../support/world.js';

interface Hook {
  webhookId: string;
  secret?: string;
  signatures: string[];
  publicKey?: string;
  headerNames: string[];
  previousSecretUntil?: string;
}

const VALUE = 'Bearer canary-of-the-header';

/** Whether a published verifier accepts a request with a secret. */
const accepts = (Verifier: typeof StandardWebhook | typeof SvixWebhook, secret: string, request: Received): boolean => {
  try {
    new Verifier(secret).verify(request.raw.toString(), request.headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
};

/** How many `v1a` signatures of a request the public key accepts. */
function publiclySigned(publicKey: string, { headers, raw }: Received): number {
  const x = Buffer.from(publicKey.replace('whpk_', ''), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const content = Buffer.concat([
    Buffer.from(`${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.`),
    raw,
  ]);
  return schemes(headers).filter(
    ([scheme, signature]) => scheme === 'v1a' && verify(null, content, key, Buffer.from(signature ?? '', 'base64')),
  ).length;
}

const schemes = (headers: Received['headers']): string[][] =>
  String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => signature.split(','));

describe('the keys of a webhook', () => {
  let test: TestApp;
  let world: World;
  const open: Receiver[] = [];

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true });
    world = await World.create(test);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((receiver) => receiver.stop()));
  });
  afterAll(() => test.close());

  async function hook(options: object = {}): Promise<{ receiver: Receiver; webhook: Hook; request: object }> {
    world = await World.create(test);
    const receiver = await Receiver.start();
    open.push(receiver);
    const request = { url: receiver.url, isEnabled: true, events: ['user.created'] };
    const { body } = await world.api.post<Hook>(world.path('/webhooks'), { ...request, ...options }, { expect: 201 });
    return { receiver, webhook: body, request };
  }

  const path = ({ webhookId }: Hook, rest = ''): string => world.path(`/webhooks/${webhookId}${rest}`);
  const rotate = async (webhook: Hook, body: object = {}): Promise<Hook> =>
    (await world.api.post<Hook>(path(webhook, '/rotate-secret'), body, { expect: 200 })).body;
  const endOverlap = ({ webhookId }: Hook): Promise<object[]> =>
    rowsOf(test, 'UPDATE webhooks SET previous_secret_until = now() WHERE id = $1', [webhookId]);

  /** The request for the next event. */
  async function next(receiver: Receiver): Promise<Received> {
    const before = receiver.of('user.created').length;
    await world.api.post(world.path('/users'), { email: newEmail() }, { expect: 201 });
    return eventually('the event', () => receiver.of('user.created')[before]);
  }

  it('sign together for the time of the overlap, and the new one alone after it', async () => {
    const { receiver, webhook } = await hook();
    const rotated = await rotate(webhook);
    expect(rotated.secret).not.toBe(webhook.secret);
    const hours = (Date.parse(rotated.previousSecretUntil ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeCloseTo(24, 1);

    const during = await next(receiver);
    expect(schemes(during.headers).map(([scheme]) => scheme)).toEqual(['v1', 'v1']);
    for (const Verifier of [StandardWebhook, SvixWebhook]) {
      expect(accepts(Verifier, webhook.secret ?? '', during)).toBe(true);
      expect(accepts(Verifier, rotated.secret ?? '', during)).toBe(true);
    }
    await endOverlap(webhook);
    const after = await next(receiver);
    expect(schemes(after.headers)).toHaveLength(1);
    for (const Verifier of [StandardWebhook, SvixWebhook]) {
      expect(accepts(Verifier, webhook.secret ?? '', after)).toBe(false);
      expect(accepts(Verifier, rotated.secret ?? '', after)).toBe(true);
    }
    expect((await world.api.get<Hook>(path(webhook))).body).not.toHaveProperty('previousSecretUntil');
    expect(await rotate(webhook)).toHaveProperty('previousSecretUntil');
  });

  it('end at once where no overlap is wanted, also one that is under way', async () => {
    const { receiver, webhook } = await hook();
    await rotate(webhook, { overlapHours: 168 });
    const last = await rotate(webhook, { overlapHours: 0 });
    expect(last).not.toHaveProperty('previousSecretUntil');
    const sent = await next(receiver);
    expect(schemes(sent.headers)).toHaveLength(1);
    expect(accepts(StandardWebhook, last.secret ?? '', sent)).toBe(true);
    await world.api.post(path(webhook, '/rotate-secret'), { overlapHours: 169 }, { expect: 400 });
  });

  it('are replaced once by sixty rotations at once', async () => {
    const { webhook } = await hook();
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => world.api.post<Hook & { code: string }>(path(webhook, '/rotate-secret'), {})),
    );
    const [won, lost] = [200, 409].map((wanted) => answers.filter(({ status }) => status === wanted));
    expect([won?.length, lost?.length]).toEqual([1, 59]);
    expect(lost?.[0]?.body.code).toBe('secret_rotation_under_way');
    const { body } = await world.api.get<Hook>(`${path(webhook)}?includeSecret=true`);
    expect(body.secret).toBe(won?.[0]?.body.secret);
    expect(await auditOf(test, world.ids.organizationId, { action: 'webhook.secret.rotated' })).toHaveLength(1);
  });

  it('come in pairs for those who ask, and the public one checks what is sent', async () => {
    const { receiver, webhook, request } = await hook({ signatures: ['v1', 'v1a'] });
    expect(webhook).toMatchObject({ signatures: ['v1', 'v1a'], publicKey: expect.stringMatching(/^whpk_.{44}$/) });
    const sent = await next(receiver);
    expect(schemes(sent.headers).map(([scheme]) => scheme)).toEqual(['v1', 'v1a']);
    expect(publiclySigned(webhook.publicKey ?? '', sent)).toBe(1);
    expect(publiclySigned(webhook.publicKey ?? '', { ...sent, raw: Buffer.from(`${sent.raw.toString()} `) })).toBe(0);
    for (const Verifier of [StandardWebhook, SvixWebhook])
      expect(accepts(Verifier, webhook.secret ?? '', sent)).toBe(true);

    const rotated = await rotate(webhook);
    expect(rotated.publicKey).not.toBe(webhook.publicKey);
    const during = await next(receiver);
    expect(schemes(during.headers).map(([scheme]) => scheme)).toEqual(['v1', 'v1', 'v1a', 'v1a']);
    for (const { publicKey } of [webhook, rotated]) expect(publiclySigned(publicKey ?? '', during)).toBe(1);

    const kept = await world.api.put<Hook>(path(webhook), request, { expect: 200 });
    expect(kept.body.publicKey).toBe(rotated.publicKey);
    await world.api.put<Hook>(path(webhook), { ...request, signatures: ['v1', 'v1a'] }, { expect: 200 });
    expect(publiclySigned(rotated.publicKey ?? '', await next(receiver))).toBe(1);
    const without = await world.api.put<Hook>(path(webhook), { ...request, signatures: ['v1'] }, { expect: 200 });
    expect(without.body).toMatchObject({ signatures: ['v1'] });
    expect(without.body).not.toHaveProperty('publicKey');
    expect(schemes((await next(receiver)).headers).map(([scheme]) => scheme)).toEqual(['v1', 'v1']);
  });

  it('that come in pairs are replaced as a pair: neither signs any more once the overlap is over', async () => {
    const { receiver, webhook } = await hook({ signatures: ['v1', 'v1a'] });
    const rotated = await rotate(webhook);
    await endOverlap(webhook);
    const after = await next(receiver);
    expect(schemes(after.headers).map(([scheme]) => scheme)).toEqual(['v1', 'v1a']);
    expect([webhook, rotated].map(({ publicKey }) => publiclySigned(publicKey ?? '', after))).toEqual([0, 1]);
    const webhooks = test.app.get(WebhooksRepository, { strict: false });
    expect(await webhooks.findKeys(world.environmentId, webhook.webhookId)).toMatchObject({
      ...{ sealedPreviousSecret: null, sealedPreviousSigningKey: null },
    });
  });

  it('leave header fields of the webhook’s own in every request and their values nowhere else', async () => {
    const headers = [
      { name: 'Authorization', value: VALUE },
      { name: 'x-tenant', value: 'canary-of-the-header' },
    ];
    const { receiver, webhook, request } = await hook({ headers });
    expect(webhook.headerNames).toEqual(['authorization', 'x-tenant']);
    const sent = await next(receiver);
    expect(sent.headers).toMatchObject({ authorization: VALUE, 'x-tenant': 'canary-of-the-header' });

    await world.api.put(path(webhook), request, { expect: 200 });
    expect((await next(receiver)).headers).toMatchObject({ authorization: VALUE });
    const changed = [{ name: 'authorization', value: `${VALUE} 2` }];
    await world.api.put(path(webhook), { ...request, headers: changed }, { expect: 200 });
    const after = await next(receiver);
    expect(after.headers).toMatchObject({ authorization: `${VALUE} 2` });
    expect(after.headers).not.toHaveProperty('x-tenant');

    const changes = await auditOf(test, world.ids.organizationId, { resourceId: webhook.webhookId });
    expect(changes.at(-1)?.changes).toMatchObject({
      headerNames: [['authorization', 'x-tenant'], ['authorization']],
      headers: ['[redacted]', '[redacted]'],
    });
    const told = [
      changes,
      await eventsOf(test, world.environmentId),
      await eventually('two records', async () => {
        const list = (await world.api.get<{ data: unknown[] }>(path(webhook, '/messages'))).body.data;
        return JSON.stringify(list).includes('[masked]') ? list : null;
      }),
      (await world.api.get(world.path('/webhooks'))).body,
      await rowsOf(test, 'SELECT request::text, response::text FROM webhook_deliveries'),
    ];
    expect(JSON.stringify(told)).not.toContain('canary-of-the-header');

    const none = await world.api.put<Hook>(path(webhook), { ...request, headers: [] }, { expect: 200 });
    expect(none.body.headerNames).toEqual([]);
    expect((await next(receiver)).headers).not.toHaveProperty('authorization');
  });

  it('are refused header fields that are the sender’s, or that hide a second line', async () => {
    const { webhook, request } = await hook();
    for (const header of [
      { name: 'Webhook-Signature', value: 'v1,forged' },
      { name: 'transfer-encoding', value: 'chunked' },
      { name: 'x-key', value: 'a\r\nhost: elsewhere' },
    ]) {
      const { body } = await world.api.put<{ code: string }>(
        path(webhook),
        { ...request, headers: [header] },
        { expect: 400 },
      );
      expect(body.code).toBe('webhook_header_refused');
    }
    const eleven = Array.from({ length: 11 }, (_, at) => ({ name: `x-${at}`, value: 'v' }));
    await world.api.put(path(webhook), { ...request, headers: eleven }, { expect: 400 });
    expect((await world.api.get<Hook>(path(webhook))).body.headerNames).toEqual([]);
  });

  it('all move to a new master key, and so does what was sealed under the old one since', async () => {
    const [old, following] = [generateMasterKey(), generateMasterKey()];
    const first = await startTestApp({ ownDatabase: true, masterKey: old, env: { ROLE: 'api' } });
    const masterKey = `${following},${old}`;
    const second = await startTestApp({ databaseUrl: first.databaseUrl, masterKey, env: { ROLE: 'api' } });
    try {
      const place = await World.create(first);
      const request = { url: 'https://example.com/hook', isEnabled: true, events: [] };
      const asked = { ...request, signatures: ['v1a'], headers: [{ name: 'x-key', value: 'one' }] };
      const { body } = await place.api.post<Hook>(place.path('/webhooks'), asked, { expect: 201 });
      const own = place.path(`/webhooks/${body.webhookId}`);
      await place.api.post(`${own}/rotate-secret`, {}, { expect: 200 });
      const records = second.app
        .get(SealedRecordsRegistry)
        .all()
        .find(({ name }) => name === 'webhooks.sealed_secret')!;
      expect([await records.count(), await records.rewrapBatch(10), await records.count()]).toEqual([1, 1, 0]);
      // An instance that does not know the new key yet.
      const changed = { ...request, headers: [{ name: 'x-key', value: 'two' }] };
      await place.api.put(own, changed, { expect: 200 });
      expect([await records.count(), await records.rewrapBatch(10), await records.count()]).toEqual([1, 1, 0]);

      const [row] = await rowsOf<SealedKeys>(
        first,
        `SELECT sealed_secret AS "sealedSecret", sealed_previous_secret AS "sealedPreviousSecret",
           sealed_signing_key AS "sealedSigningKey", sealed_previous_signing_key AS "sealedPreviousSigningKey",
           sealed_headers AS "sealedHeaders" FROM webhooks WHERE id = $1`,
        [body.webhookId],
      );
      const secrets = new WebhookSecrets(new Envelope(parseKeyRing(following)));
      const opened = await secrets.openAll(row!, { environmentId: place.environmentId, webhookId: body.webhookId });
      expect(opened.secrets).toHaveLength(2);
      expect(opened.signingKeys).toHaveLength(2);
      expect(opened.headers).toEqual([{ name: 'x-key', value: 'two' }]);
    } finally {
      await second.close();
      await first.close();
    }
  });

  it('are wiped when their time is over, and no sooner', async () => {
    const { webhook } = await hook({ signatures: ['v1a'] });
    await rotate(webhook);
    const keptAfterWiping = async () => {
      await test.app.get(SealedSecretsRepository).wipeExpired();
      const sql =
        'SELECT num_nonnulls(sealed_previous_secret, sealed_previous_signing_key) AS kept FROM webhooks WHERE id = $1';
      return (await rowsOf<{ kept: number }>(test, sql, [webhook.webhookId]))[0]!.kept;
    };
    expect(await keptAfterWiping()).toBe(2);
    await endOverlap(webhook);
    expect(await keptAfterWiping()).toBe(0);
  });

  it('are gone with it, though its messages are still shown', async () => {
    const { webhook } = await hook({ signatures: ['v1a'], headers: [{ name: 'x-key', value: VALUE }] });
    await rotate(webhook);
    await world.api.delete(path(webhook), { expect: 204 });
    const [row] = await rowsOf(
      test,
      `SELECT octet_length(sealed_secret) AS length, num_nonnulls(sealed_previous_secret, sealed_signing_key,
         sealed_previous_signing_key, sealed_headers) AS others
       FROM webhooks WHERE id = $1`,
      [webhook.webhookId],
    );
    expect(row).toEqual({ length: 0, others: 0 });
  });
});
