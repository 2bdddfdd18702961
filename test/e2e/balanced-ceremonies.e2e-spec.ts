import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { base58 } from '@scure/base';
import {
  createWallet,
  httpRooms,
  httpSignatures,
  KeyGeneration,
  renewShares,
  Resharing,
  SharedKey,
  signInRoom,
  type OpenedRoom,
  type Rooms,
  type ShareSet,
} from '../../clients/custody/src/index.js';
import { ed25519Verify } from '../../src/custody/derivation/ed25519-key.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { findHaproxy } from '../support/deploy/haproxy.js';
import { SERVED_BY, Turns } from '../support/deploy/turns.js';
import { Deployment, type Instance } from '../support/deployment.js';
import { redisUrl } from '../support/redis.js';
import { eventually } from '../support/receiver.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { newEmail, World } from '../support/world.js';

const TEXT = Buffer.from('I agree.');
const haproxy = findHaproxy();

(haproxy ? describe : describe.skip)('ceremonies whose messages two instances take by turns, behind haproxy', () => {
  let test: TestApp;
  let world: World;
  let deployment: Deployment;
  let instances: [Instance, Instance];
  let balancer: Turns;
  let token: string;
  /** The instances that have answered, in this order. */
  let served: string[] = [];

  const send: typeof fetch = async (...request) => {
    const answer = await fetch(...request);
    served.push(answer.headers.get(SERVED_BY) ?? 'nobody');
    return answer;
  };
  const at = () => ({ baseUrl: balancer.url, environmentId: world.environmentId, token });
  const rooms = (): Rooms => httpRooms(at(), send);
  const open = async (path: string, body?: object): Promise<OpenedRoom & { roomIds: string[] }> => {
    const url = `${balancer.url}/api/v0${world.sdk(`/waas/${path}`)}`;
    const headers = { authorization: `Bearer ${token}`, ...(await proofOf(world, token)) };
    const json = body && { 'content-type': 'application/json' };
    const answer = await send(url, { method: 'POST', headers: { ...headers, ...json }, body: JSON.stringify(body) });
    const text = await answer.text();
    expect([path, answer.status, text]).toEqual([path, 200, expect.any(String)]);
    return JSON.parse(text) as OpenedRoom & { roomIds: string[] };
  };
  const nowhere = (): Promise<void> => Promise.resolve();
  const create = async (scheme: 'TWO_OF_TWO' | 'TWO_OF_THREE', keep = nowhere): Promise<ShareSet> => {
    const generation = await KeyGeneration.begin(scheme, 'SVM');
    const request = { chain: 'SVM', clientKeygenIds: generation.keygenIds, thresholdSignatureScheme: scheme };
    return createWallet(rooms(), world.environmentId, generation, await open('create', request), keep);
  };
  const renew = async (shares: ShareSet, scheme?: 'TWO_OF_THREE', keep = nowhere): Promise<ShareSet> => {
    const resharing = await Resharing.begin(shares, scheme);
    const opened = scheme
      ? await open(`${shares.walletId}/reshare`, resharing.request)
      : await open(`${shares.walletId}/refresh`);
    return renewShares(rooms(), world.environmentId, resharing, opened, keep);
  };
  const signs = async (shares: ShareSet): Promise<void> => {
    const key = new SharedKey(shares, 'SVM', rooms(), httpSignatures(at(), send));
    const signature = Buffer.from(await key.sign('message', TEXT));
    expect(ed25519Verify(TEXT, base58.decode(shares.address), signature)).toBe(true);
  };
  /** Both have had a part of it. */
  const isSplit = async <T>(ceremony: Promise<T>): Promise<T> => {
    served = [];
    const outcome = await ceremony;
    expect(new Set(served)).toEqual(new Set(['api-1', 'api-2']));
    return outcome;
  };

  beforeAll(async () => {
    const PUBLIC_URL = 'http://gatehouse.test';
    test = await startTestApp({ ownDatabase: true, env: { ROLE: 'api', PUBLIC_URL } });
    world = await World.create(test);
    deployment = new Deployment(
      {
        DATABASE_URL: test.databaseUrl,
        MASTER_KEY: test.masterKey,
        REDIS_URL: redisUrl(),
        PUBLIC_URL,
        TRUST_PROXY: '127.0.0.1',
        // Rooms are over after a minute, and theirs wait for the end of an instance.
        DRAIN_SECONDS: '2',
      },
      'modules',
    );
    instances = await Promise.all([deployment.start(), deployment.start()]);
    balancer = await Turns.start(
      haproxy!,
      instances.map(({ port }) => port),
    );
  }, 180_000);
  afterAll(async () => {
    await balancer?.stop();
    await deployment?.stop();
    await test?.close();
  });
  beforeEach(async () => {
    token = (await world.signIn(newEmail())).jwt;
  });

  it('create a key, sign with it, and reshare it, to the same scheme and another', async () => {
    const made = await isSplit(create('TWO_OF_TWO'));
    await isSplit(signs(made));
    const refreshed = await isSplit(renew(made));
    expect(refreshed.generation).toBe(2);
    await isSplit(signs(refreshed));
    const reshared = await isSplit(renew(refreshed, 'TWO_OF_THREE'));
    await isSplit(signs(reshared));
    expect([reshared.address, reshared.secrets.length]).toEqual([made.address, 2]);
    await expect(signs(made)).rejects.toMatchObject({ name: 'OtherGeneration' });
  }, 120_000);

  it('continue at the other instance when one is stopped, and pending calls are answered', async () => {
    const [leaving] = instances;
    const shares = await create('TWO_OF_TWO');
    const other = await create('TWO_OF_TWO');
    let release = (): void => {};
    const gone = new Promise<void>((resolve) => (release = resolve));
    let begun = 0;
    const midway = (): Promise<void> => {
      begun += 1;
      return gone;
    };
    // Each of them has begun, and the signature has a room whose nonces are made.
    const { roomId } = await open(`${other.walletId}/signMessage`, { message: TEXT.toString() });
    const ceremonies = Promise.allSettled([create('TWO_OF_THREE', midway), renew(shares, undefined, midway)]);
    await eventually('both are in the middle', () => begun === 2);
    // The first message of the room is there; there is no second.
    const messages = world.sdk(`/waas/rooms/${roomId}/messages?after=1&waitSeconds=5`);
    const waiting = fetch(`${leaving.url}/api/v0${messages}`, { headers: { authorization: `Bearer ${token}` } });
    const ended = leaving.process.end('SIGTERM');
    const waited = await waiting;
    expect([waited.status, await waited.json()]).toEqual([200, expect.objectContaining({ messages: [] })]);
    expect([await ended, leaving.process.output]).toEqual([0, expect.any(String)]);
    release();
    const outcomes = await ceremonies;
    expect(outcomes.map((one) => (one.status === 'rejected' ? String(one.reason) : 'done'))).toEqual(['done', 'done']);
    const [made, renewed] = outcomes.map((one) => (one as PromiseFulfilledResult<ShareSet>).value);
    const { signature } = await signInRoom(rooms(), other, { chain: 'SVM', kind: 'message', bytes: TEXT }, roomId);
    expect(ed25519Verify(TEXT, base58.decode(other.address), Buffer.from(signature))).toBe(true);
    served = [];
    for (const set of [made!, renewed!]) await signs(set);
    expect(new Set(served)).toEqual(new Set(['api-2']));
    await expect(signs(shares)).rejects.toMatchObject({ name: 'OtherGeneration' });
  }, 120_000);
});
