import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { EnvironmentId } from '../../src/auth/index.js';
import { CustodianRegistry } from '../../src/custody/index.js';
import { SigningKeys } from '../../src/environments/index.js';
import { WebhookSecrets, type SealedKeys } from '../../src/webhooks/webhook-secrets.js';
import { Envelope, SealedBlobError, parseKeyRing, type SealContext } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { captureLog } from '../support/log.js';
import { rowsOf } from '../support/rows.js';
import { World, newEmail } from '../support/world.js';

interface SealedRow {
  kind: keyof typeof SEALED;
  environmentId: string;
  id: string;
  userId: string | null;
  sealed: Buffer;
}

function of<const Purpose, const Secret>(table: string, column: string, purpose: Purpose, secret: Secret) {
  return { table, column, user: purpose === 'wallet' ? 'user_id' : 'NULL', purpose, secret };
}

/** Where sealed secrets are, and what they are sealed as. */
const SEALED = {
  wallet_seeds: of('wallet_seeds', 'sealed_entropy', 'wallet', 'hd-entropy'),
  key_share_sets: of('key_share_sets', 'sealed_shares', 'wallet', 'frost-shares'),
  key_share_backups: of('key_share_backups', 'sealed_credential', 'wallet', 'key-share-backup'),
  wallet_secrets: of('wallet_secrets', 'sealed_secret', 'wallet', 'wallet-secret'),
  webhooks: of('webhooks', 'sealed_secret', 'webhook', 'signing-secret'),
  webhook_headers: of('webhooks', 'sealed_headers', 'webhook', 'headers'),
  webhook_signing_keys: of('webhooks', 'sealed_signing_key', 'webhook', 'signing-key'),
  signing_keys: of('signing_keys', 'sealed_private_key', 'signing-key', 'rsa-private'),
} as const;

const TENANTS = 3;
const EACH = 3;

describe('a sealed secret in another row', () => {
  let test: TestApp;
  let worlds: World[];
  let users: { environmentId: EnvironmentId; id: string }[];
  let rows: SealedRow[];

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    worlds = [];
    users = [];
    for (let tenant = 0; tenant < TENANTS; tenant++) {
      const world = await World.create(test);
      worlds.push(world);
      for (let at = 0; at < EACH; at++) {
        const request = { identifier: newEmail(), type: 'email', chain: 'EVM' };
        const made = await world.api.post<{ user: { id: string } }>(world.path('/embeddedWallets'), request);
        const shared = { identifier: made.body.user.id, type: 'id', chains: ['SUI'] };
        await world.api.post(world.path('/waas/create'), shared, { expect: 201 });
        users.push({ environmentId: world.environmentId, id: made.body.user.id });
        const headers = [{ name: 'x-key', value: 'value' }];
        const hook = {
          url: `https://example.com/${at}`,
          isEnabled: false,
          events: [],
          signatures: ['v1', 'v1a'],
          headers,
        };
        await world.api.post(world.path('/webhooks'), hook, { expect: 201 });
      }
    }
    rows = [];
    for (const kind of Object.keys(SEALED) as SealedRow['kind'][]) {
      const { table, column, user } = SEALED[kind];
      const sql = `SELECT environment_id AS "environmentId", id, ${user} AS "userId", ${column} AS sealed FROM ${table}`;
      rows.push(...(await rowsOf<Omit<SealedRow, 'kind'>>(test, sql)).map((row) => ({ ...row, kind })));
    }
  });
  afterAll(() => test.close());

  let log: ReturnType<typeof captureLog>;
  beforeEach(() => {
    log = captureLog();
  });
  afterEach(() => log.stop());

  const contextOf = ({ kind, environmentId, id, userId }: SealedRow): SealContext => ({
    purpose: SEALED[kind].purpose,
    environmentId,
    ...(userId && { userId }),
    subjectId: id,
    kind: SEALED[kind].secret,
  });

  it('opens in its own row, and in no other of any kind, user or environment', async () => {
    const envelope = new Envelope(parseKeyRing(test.masterKey));
    const verdicts = { own: 0, opened: 0, refused: 0 };
    for (const row of rows) {
      for (const place of rows) {
        const outcome = await envelope.open(row.sealed, contextOf(place)).then(
          () => 'opened',
          (error: unknown) => (error instanceof SealedBlobError ? error.reason : String(error)),
        );
        if (row === place) verdicts.own += outcome === 'opened' ? 1 : 0;
        else if (outcome === 'not-authentic') verdicts.refused++;
        else verdicts.opened++;
      }
    }
    expect(rows.length).toBeGreaterThanOrEqual(TENANTS * (7 * EACH + 1));
    expect(verdicts).toEqual({ own: rows.length, opened: 0, refused: rows.length * (rows.length - 1) });
  });

  it('is refused by the service for seeds that were swapped between two users in the database', async () => {
    const [ours, theirs] = [users[0]!, users[1]!];
    const keys = test.app.get(CustodianRegistry).get('V1', 'create');
    const derive = async ({ environmentId, id }: (typeof users)[number]) =>
      (await keys.prepare({ environmentId, userId: id }, ['SOL'])).accounts;
    const before = await Promise.all([derive(ours), derive(theirs)]);
    const swap = () => swapRows('wallet_seeds', 'user_id', ours, theirs);

    await swap();
    for (const user of [ours, theirs]) {
      await expect(derive(user)).rejects.toMatchObject({ reason: 'not-authentic' });
      const body = JSON.stringify({ identifier: user.id, type: 'id', chain: 'SOL' });
      const answer = await fetch(`${test.url}/api/v0${worlds[0]!.path('/embeddedWallets')}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${worlds[0]!.token}`, 'content-type': 'application/json' },
        body,
      });
      expect(answer.status).toBe(500);
    }
    const made = await rowsOf(test, "SELECT id FROM wallets WHERE user_id = ANY ($1) AND chain = 'SOL'", [
      [ours.id, theirs.id],
    ]);
    expect(made).toEqual([]);

    await swap();
    expect(await Promise.all([derive(ours), derive(theirs)])).toEqual(before);
  });

  it('is refused by the service for webhook secrets', async () => {
    const [first, second] = rows.filter(
      ({ kind, environmentId }) => kind === 'webhooks' && environmentId === worlds[0]!.environmentId,
    );
    await swapRows('webhooks', 'id', first!, second!);
    for (const { id } of [first!, second!]) {
      const path = `${test.url}/api/v0${worlds[0]!.path(`/webhooks/${id}?includeSecret=true`)}`;
      const answer = await fetch(path, { headers: { authorization: `Bearer ${worlds[0]!.token}` } });
      expect(answer.status).toBe(500);
      expect(await answer.text()).not.toContain('whsec_');
    }
  });

  it('is refused by the service for header fields and signing keys of webhooks', async () => {
    for (const kind of ['webhook_headers', 'webhook_signing_keys'] as const) {
      const [first, second] = rows.filter((row) => row.kind === kind && row.environmentId === worlds[1]!.environmentId);
      const holder = { environmentId: first!.environmentId, webhookId: first!.id };
      const keys = (row: SealedRow): SealedKeys => ({
        ...{ sealedSecret: secretOf(first!), sealedPreviousSecret: null, sealedPreviousSigningKey: null },
        sealedHeaders: kind === 'webhook_headers' ? row.sealed : null,
        sealedSigningKey: kind === 'webhook_signing_keys' ? row.sealed : null,
      });
      const secrets = test.app.get(WebhookSecrets);
      await expect(secrets.openAll(keys(first!), holder)).resolves.toBeDefined();
      await expect(secrets.openAll(keys(second!), holder)).rejects.toMatchObject({ reason: 'not-authentic' });
    }
  });

  const secretOf = ({ id }: SealedRow): Buffer => rows.find((row) => row.kind === 'webhooks' && row.id === id)!.sealed;

  it('is refused by the service for signing keys, and no token is issued', async () => {
    const [first, second] = [worlds[1]!, worlds[2]!];
    const keyOf = ({ environmentId }: World) =>
      rows.find((row) => row.kind === 'signing_keys' && row.environmentId === environmentId)!;
    await swapRows('signing_keys', 'id', keyOf(first), keyOf(second));
    for (const world of [first, second]) {
      await expect(test.app.get(SigningKeys).signer(world.environmentId)).rejects.toMatchObject({
        reason: 'not-authentic',
      });
      await expect(world.signIn(newEmail())).rejects.toThrow('500');
    }
  });

  async function swapRows(
    kind: SealedRow['kind'],
    key: 'id' | 'user_id',
    one: { environmentId: string; id: string },
    two: { environmentId: string; id: string },
  ): Promise<void> {
    const { table, column } = SEALED[kind];
    const swapped = await rowsOf(
      test,
      `UPDATE ${table} t SET ${column} = o.${column} FROM ${table} o
       WHERE (t.environment_id, t.${key}, o.environment_id, o.${key}) IN (($1, $2, $3, $4), ($3, $4, $1, $2))
       RETURNING t.id`,
      [one.environmentId, one.id, two.environmentId, two.id],
    );
    expect(swapped.flat()).toContainEqual(expect.objectContaining({ id: expect.any(String) }));
  }
});
