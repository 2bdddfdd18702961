import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { startTestApp, type TestApp } from '../support/app.js';
import { contentOf, type DatabaseContent } from '../support/surface/database-content.js';
import { apiDocument } from '../support/surface/operations.js';
import { RawClient, type RawAnswer } from '../support/surface/raw-client.js';
import { newAddress } from '../support/surface/records.js';
import { Tenant } from '../support/surface/tenant.js';
import { newEmail } from '../support/world.js';

describe('what a query or a body names of another tenant', () => {
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

  const leaks = ({ text }: RawAnswer): string[] => theirs.secrets.filter((secret) => text.includes(secret));
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

  it('a cursor with an id of another tenant shows own records only', async () => {
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

  it('a correct code of another tenant signs nobody in', async () => {
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

  it('identifiers of another tenant create records in the own one', async () => {
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
