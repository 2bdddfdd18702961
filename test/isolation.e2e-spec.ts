import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startTestApp, type TestApp } from './support/app.js';
import { databaseContent, type DatabaseContent } from './support/surface/database-content.js';
import { faultsOfRefusal } from './support/surface/error-answer.js';
import { apiDocument, isDestructive, operations, recordName, type ApiOperation } from './support/surface/operations.js';
import { RawClient, type RawAnswer } from './support/surface/raw-client.js';
import { newAddress, type RecordIds } from './support/surface/records.js';
import { Tenant } from './support/surface/tenant.js';
import { validRequest } from './support/surface/valid-call.js';
import { newEmail } from './support/world.js';

/** Every way to take some of the ids from elsewhere: all choices but the one that takes none. */
function swaps(names: readonly string[]): string[][] {
  const choices = names.reduce<string[][]>((known, name) => known.flatMap((some) => [some, [...some, name]]), [[]]);
  return choices.filter((some) => some.length > 0);
}

describe('isolation', () => {
  let test: TestApp;
  let mine: Tenant;
  let theirs: Tenant;
  let client: RawClient;
  let theirContent: DatabaseContent;

  beforeAll(async () => {
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api' } });
    mine = await Tenant.create(test);
    theirs = await Tenant.create(test);
    client = new RawClient(test.url);
    theirContent = await contentOf(theirs);
  });

  afterAll(async () => {
    client.close();
    await mine.close();
    await theirs.close();
    await test.close();
  });

  /** Every row of a tenant: it holds the id of the organization, its project, an environment or the owner. */
  const contentOf = ({ db, world: { ids } }: Tenant): Promise<DatabaseContent> =>
    databaseContent(db, [ids.organizationId, ids.projectId, ids.ownerUserId, ...Object.values(ids.environments)]);

  /** What a tenant may call with, for an operation. */
  function credentials({ audience, scope }: ApiOperation): [string, string][] {
    if (audience === 'end-user') return [['an end user', mine.endUser.jwt]];
    const member: [string, string] = ["the owner's personal token", mine.world.ownerToken];
    return scope === null ? [member] : [['an API token', mine.world.token], member];
  }

  async function call(operation: ApiOperation, instead: RecordIds, token: string | null): Promise<RawAnswer> {
    const { body, query } = await validRequest(mine, operation);
    return client.send({
      method: operation.method,
      path: `${mine.pathOf(operation, instead)}${query ? `?${query}` : ''}`,
      token,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  }

  const leaks = ({ text }: RawAnswer): string[] => theirs.secrets.filter((secret) => text.includes(secret));
  const withoutRequestId = ({ status, body }: RawAnswer): object => ({ status, ...(body as object), requestId: '' });

  const withIds = operations.filter(({ pathParams }) => pathParams.length > 0);

  it('would be seen to fail: the comparison notices a write, in whichever table', async () => {
    const tables = Object.keys(theirContent).filter((table) => !theirContent[table]?.startsWith('0 rows'));
    expect(tables).toEqual(
      expect.arrayContaining(['organizations', 'members', 'users', 'wallets', 'events', 'webhooks']),
    );
    await theirs.db.query('UPDATE webhook_deliveries SET attempt = 2 WHERE environment_id = $1', [
      theirs.ids['environmentId'],
    ]);
    const written = await contentOf(theirs);
    expect(Object.keys(written).filter((table) => written[table] !== theirContent[table])).toEqual([
      'webhook_deliveries',
    ]);
    theirContent = written;
  });

  it.each(
    withIds.filter(({ audience }) => audience !== 'public').map((operation) => [operation.title, operation] as const),
  )('%s finds nothing under ids of another tenant', async (_title, operation) => {
    const faults: string[] = [];
    for (const [who, token] of credentials(operation)) {
      for (const swapped of swaps(operation.pathParams)) {
        const idsOf = (of: (name: string) => string): RecordIds =>
          Object.fromEntries(swapped.map((param) => [recordName(operation, param), of(recordName(operation, param))]));
        const foreign = await call(
          operation,
          idsOf((name) => theirs.ids[name]!),
          token,
        );
        const unknown = await call(
          operation,
          idsOf(() => randomUUID()),
          token,
        );
        const where = `${who}, foreign ${swapped.join(' and ')}`;
        const expected = operation.audience === 'end-user' ? 401 : 404;
        if (foreign.status !== expected) faults.push(`${where}: ${foreign.status} ${foreign.text}`);
        faults.push(...[...faultsOfRefusal(foreign), ...leaks(foreign)].map((fault) => `${where}: ${fault}`));
        // An id of an environment is public, in every address of an application; those of records must not tell.
        if (expected === 404) expect(withoutRequestId(foreign)).toEqual(withoutRequestId(unknown));
        else expect(unknown.status).toBe(404);
      }
    }
    expect(faults).toEqual([]);
    expect(await contentOf(theirs)).toEqual(theirContent);
  });

  it.each(
    operations
      .filter(({ audience }) => audience === 'public')
      .map((operation) => [operation.title, operation] as const),
  )('%s does not exist in an environment that does not exist', async (_title, operation) => {
    const { status } = await call(operation, { environmentId: randomUUID() }, null);
    expect(status).toBe(404);
  });

  it.each(
    operations
      .filter((operation) => !isDestructive(operation))
      .map((operation) => [operation.title, operation] as const),
  )('%s tells a tenant nothing of another', async (_title, operation) => {
    const tokens = operation.audience === 'public' ? [['nobody', null] as const] : credentials(operation);
    for (const [, token] of tokens) {
      const answer = await call(operation, {}, token);
      expect(answer.status).toBeLessThan(300);
      expect(leaks(answer)).toEqual([]);
    }
    expect(await contentOf(theirs)).toEqual(theirContent);
  });

  describe('of what a query or body names', () => {
    const send = async (method: string, path: string, body?: object, token = mine.world.token): Promise<RawAnswer> => {
      const content = body && JSON.stringify(body);
      return client.send({ method, path: `/api/v0${path}`, token, body: content });
    };

    afterEach(async () => expect(await contentOf(theirs)).toEqual(theirContent));

    it.each(apiDocument.components?.schemas?.['UserFilterableFieldsEnum']?.enum?.map(String) ?? [])(
      'a search by %s finds no user of another tenant',
      async (column) => {
        for (const value of theirs.secrets) {
          const query = `filter[filterColumn]=${column}&filter[filterValue]=${encodeURIComponent(value)}`;
          const answer = await send('GET', mine.world.path(`/users?${query}`));
          expect([200, 400]).toContain(answer.status);
          expect(answer.text).not.toContain(theirs.marker);
          if (answer.status === 200) expect(answer.body).toMatchObject({ users: [] });
        }
      },
    );

    it('a cursor made of an id of another tenant shows the own records alone', async () => {
      for (const list of ['/events', `/webhooks/${mine.ids['webhookId']}/messages`]) {
        for (const id of Object.values(theirs.ids)) {
          for (const cursor of [id, Buffer.from(id).toString('base64url')]) {
            const answer = await send('GET', mine.world.path(`${list}?cursor=${cursor}`));
            expect([200, 400]).toContain(answer.status);
            expect(leaks(answer).filter((secret) => secret !== id)).toEqual([]);
          }
        }
      }
    });

    it('a code of another tenant signs nobody in, though the code is right', async () => {
      const email = newEmail();
      const verificationUUID = await theirs.world.sendCode(email);
      theirContent = await contentOf(theirs);
      const body = { verificationUUID, verificationToken: theirs.world.code(email) };
      const signIn = await send('POST', mine.world.sdk('/emailVerifications/signin'), body);
      const verify = await send('POST', mine.world.sdk('/emailVerifications/verify'), body, mine.endUser.jwt);
      const retry = await send('POST', mine.world.sdk('/emailVerifications/retry'), { email, verificationUUID });
      expect([signIn.status, verify.status, retry.status]).toEqual([422, 422, 422]);
      expect(await contentOf(theirs)).toEqual(theirContent);
      // Nor was one of its tries used up.
      const right = await send('POST', theirs.world.sdk('/emailVerifications/signin'), body);
      expect(right.status).toBe(200);
      theirContent = await contentOf(theirs);
    });

    it('identifiers of another tenant make records of the own one', async () => {
      const { userId } = theirs.ids;
      const made = await send('POST', mine.world.path('/users'), { id: userId, email: theirs.endUser.email });
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({ user: { projectEnvironmentId: mine.ids['environmentId'] } });
      for (const identifier of [theirs.endUser.email, newEmail()]) {
        const wallets = { identifier, type: 'email', chains: ['EVM', 'SOL'] };
        const answer = await send('POST', mine.world.path('/embeddedWallets'), wallets);
        expect(answer.status).toBeLessThan(300);
        expect(answer.body).toMatchObject({ user: { projectEnvironmentId: mine.ids['environmentId'] } });
        expect(answer.text).not.toContain(theirs.endUser.userId);
      }
      const upsert = [{ email: theirs.endUser.email, alias: 'mine', wallets: [] }];
      const bulk = await send('POST', mine.world.path('/users/bulk?upsert=true'), upsert);
      expect(bulk.text).not.toContain(theirs.endUser.userId);
      const removed = await send('DELETE', mine.world.path(`/users/${userId}`));
      expect(removed.status).toBe(204);
      const read = await theirs.world.api.get(theirs.world.path(`/users/${userId}`));
      expect(read.status).toBe(200);
    });

    it('an embedded wallet for the id of a user of another tenant is refused', async () => {
      const body = { identifier: theirs.endUser.userId, type: 'id', chains: ['EVM'] };
      const answer = await send('POST', mine.world.path('/embeddedWallets'), body);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(answer.text).not.toContain(theirs.marker);
    });

    it('the same name, address and email may belong to two tenants', async () => {
      const shared = { publicWalletAddress: newAddress(), chain: 'EVM', walletName: 'w', walletProvider: 'deepLink' };
      const user = { email: newEmail(), username: `u-${randomUUID()}`, wallets: [shared] };
      const ids = new Set<string>();
      for (const { world } of [theirs, mine]) {
        const { body } = await world.api.post<{ user: { id: string } }>(world.path('/users'), user, { expect: 201 });
        ids.add(body.user.id);
      }
      expect(ids.size).toBe(2);
      theirContent = await contentOf(theirs);
    });
  });
});
