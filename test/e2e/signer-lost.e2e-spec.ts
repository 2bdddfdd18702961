import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { base58 } from '@scure/base';
import { privateKeyToAccount } from 'viem/accounts';
import {
  KeyGeneration,
  createWallet,
  type OpenedRoom,
  type Rooms,
  type ShareSet,
} from '../../clients/custody/src/index.js';
import { LedgerVerifier } from '../../src/custody/index.js';
import { remotePort } from '../../src/custody/signer/process/signer-operations.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { newRecipient, sealFor } from '../support/hpke-open.js';
import { LosableSigner, MOMENTS } from '../support/lost-signer.js';
import { rowsOf } from '../support/rows.js';
import { Device } from '../support/shared-wallet.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface Wallet {
  id: string;
  chain: string;
  publicKey: string;
}
interface Body {
  code?: string;
  roomId: string;
  serverKeygenIds: string[];
}
interface Outcome {
  status: number;
  code?: string | undefined;
}
/** What somebody does, as often as it takes: what an attempt has used up is asked for anew. */
type Act = () => Promise<Outcome>;

/** What keys, shares and wallets there are. Counts of use and what is over by itself are left out. */
const STANDING = `
  SELECT (SELECT count(*)::int FROM users WHERE environment_id = $1) AS users,
    (SELECT count(*)::int FROM wallet_seeds WHERE environment_id = $1 AND destroy_after IS NULL) AS seeds,
    (SELECT count(*)::int FROM key_share_sets WHERE environment_id = $1) AS shares,
    (SELECT count(*)::int FROM wallets WHERE environment_id = $1) AS wallets,
    (SELECT count(*)::int FROM wallet_exports WHERE environment_id = $1 AND used_at IS NOT NULL) AS fetched,
    (SELECT count(*)::int FROM events WHERE environment_id = $1 AND name LIKE 'wallet.%') AS told,
    (SELECT coalesce(sum(generation), 0)::int FROM key_share_sets WHERE environment_id = $1) AS generations,
    (SELECT count(*)::int FROM key_ledger WHERE environment_id = $1 AND verdict = 'allowed') AS uses`;

/** Asked by programs of the operator alone, which open keys themselves. */
const OF_OPERATORS = [
  'wallet.release',
  'wallet.admit',
  'wallet.rewrap',
  'threshold.rewrapShares',
  'threshold.rewrapState',
];

describe('a signer that is lost', () => {
  let test: TestApp;
  let world: World;
  let signer: LosableSigner;

  const call = (path: string, token: string, body?: object, headers: Record<string, string> = {}) =>
    world.anonymous.call<Body>(body ? 'POST' : 'GET', path, { token, body, headers });
  const outcomeOf = ({ status, body }: { status: number; body: Body }): Outcome => ({ status, code: body.code });
  const standing = async (): Promise<object> => (await rowsOf(test, STANDING, [world.environmentId]))[0]!;

  async function someone(chains: string[]): Promise<SignedIn & { wallets: Wallet[] }> {
    const person = await world.signIn(newEmail());
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains }];
    const path = world.sdk('/users/embeddedWallets');
    await world.anonymous.post(path, { embeddedWallets }, { token: person.jwt, expect: 201 });
    const read = await world.api.get<{ user: { wallets: Wallet[] } }>(world.path(`/users/${person.userId}`));
    return { ...person, wallets: read.body.user.wallets };
  }

  const wallets = (identifier: string, chains: string[]): Promise<Outcome> =>
    call(world.path('/embeddedWallets'), world.token, { identifier, type: 'email', chains }).then(outcomeOf);
  const openImport = async ({ jwt }: SignedIn) => {
    const request = { chain: 'EVM', clientKeygenIds: [], thresholdSignatureScheme: 'TWO_OF_TWO' };
    return call(world.sdk('/waas/privateKey/import'), jwt, request, await proofOf(world, jwt));
  };

  async function importing(person: SignedIn): Promise<Outcome> {
    const opened = await openImport(person);
    if (opened.status !== 200) return outcomeOf(opened);
    const { roomId, serverKeygenIds } = opened.body;
    const key = randomBytes(32);
    const { address } = privateKeyToAccount(`0x${key.toString('hex')}`);
    const info = Buffer.from(`import/v1|${world.environmentId}|${person.userId}|EVM|${roomId}`);
    const recipient = Buffer.from(base58.decode(serverKeygenIds[1]!));
    const { enc, ciphertext } = sealFor(recipient, key, info, Buffer.from(address));
    const offer = { enc: enc.toString('base64url'), ciphertext: ciphertext.toString('base64url'), address };
    return outcomeOf(await call(world.sdk(`/users/embeddedWallets/activities/${roomId}/import`), person.jwt, offer));
  }

  async function exporting({ jwt, wallets: [wallet] }: SignedIn & { wallets: Wallet[] }): Promise<Act> {
    const exportId = base58.encode(newRecipient('X25519').publicKey);
    const path = world.sdk(`/waas/${wallet!.id}/privateKey/export`);
    const { body } = await call(path, jwt, { exportId }, await proofOf(world, jwt));
    const fetched = world.sdk(`/users/embeddedWallets/${wallet!.id}/activities/${body.roomId}/export`);
    return () => call(fetched, jwt).then(outcomeOf);
  }

  /** A device that tells what it was answered instead of failing its test. */
  class RawDevice extends Device {
    constructor(private readonly person: SignedIn) {
      super(world, person.jwt, rooms(person.jwt));
    }

    async generate(): Promise<Outcome> {
      const generation = await KeyGeneration.begin('TWO_OF_TWO', 'SVM');
      const request = { chain: 'SVM', clientKeygenIds: generation.keygenIds, thresholdSignatureScheme: 'TWO_OF_TWO' };
      const opened = await call(world.sdk('/waas/create'), this.person.jwt, request);
      if (opened.status !== 200) return outcomeOf(opened);
      const room = opened.body as unknown as OpenedRoom;
      return told(() => createWallet(this.rooms, world.environmentId, generation, room, () => Promise.resolve()));
    }
  }
  const rooms = (token: string): Rooms => {
    const of = (answer: { status: number; body: unknown }) => {
      if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
      return (answer.body as { messages: Awaited<ReturnType<Rooms['read']>> }).messages;
    };
    const path = (roomId: string): string => world.sdk(`/waas/rooms/${roomId}/messages`);
    return {
      post: async (roomId, message) => of(await call(path(roomId), token, { message })),
      read: async (roomId, after) => of(await call(`${path(roomId)}?after=${after}`, token)),
    };
  };
  /** 200 for a ceremony that came to its end. */
  const told = (ceremony: () => Promise<unknown>): Promise<Outcome> =>
    ceremony().then(
      () => ({ status: 200 }),
      () => ({ status: 503, code: 'signer_unavailable' }),
    );

  async function shared(): Promise<{ device: RawDevice; shares: ShareSet }> {
    const device = new RawDevice(await world.signIn(newEmail()));
    return { device, shares: await device.create('TWO_OF_TWO') };
  }

  /** By the operation at which the signer is lost: what its user does then. */
  const ACTS: Record<string, () => Promise<Act>> = {
    'wallet.createSeed': async () => {
      const email = newEmail();
      return () => wallets(email, ['EVM', 'SOL']);
    },
    'wallet.derive': async () => {
      const email = newEmail();
      await wallets(email, ['EVM']);
      return () => wallets(email, ['EVM', 'BTC']);
    },
    'wallet.sign': async () => {
      const { jwt, wallets: own } = await someone(['EVM']);
      const path = world.sdk(`/users/embeddedWallets/${own[0]!.id}/sign`);
      return () => call(path, jwt, { kind: 'message', message: 'I agree.' }).then(outcomeOf);
    },
    'wallet.export': async () => exporting(await someone(['EVM'])),
    'wallet.createReceiver': async () => {
      const person = await world.signIn(newEmail());
      return () => openImport(person).then(outcomeOf);
    },
    'wallet.receive': async () => {
      const person = await world.signIn(newEmail());
      return () => importing(person);
    },
    'wallet.deal': async () => {
      const { jwt } = await someone(['SOL']);
      return () => call(world.sdk('/users/embeddedWallets/upgradeToV2'), jwt, {}).then(outcomeOf);
    },
    'threshold.deal': async () => {
      const email = newEmail();
      const request = { identifier: email, type: 'email', chains: ['SVM'] };
      return () => call(world.path('/waas/create'), world.token, request).then(outcomeOf);
    },
    ...Object.fromEntries(
      ['beginKeygen', 'makeKey', 'proveKey'].map((step) => [
        `threshold.${step}`,
        async () => {
          const device = new RawDevice(await world.signIn(newEmail()));
          return () => device.generate();
        },
      ]),
    ),
    ...Object.fromEntries(
      ['beginSigning', 'sign'].map((step) => [
        `threshold.${step}`,
        async () => {
          const { device, shares } = await shared();
          return () => told(() => device.sign(shares, 'I agree.'));
        },
      ]),
    ),
    ...Object.fromEntries(
      ['beginReshare', 'shareAnew'].map((step) => [
        `threshold.${step}`,
        async () => {
          const { device, shares } = await shared();
          return () => told(() => device.renew(shares));
        },
      ]),
    ),
  };

  beforeAll(async () => {
    test = await startTestApp({ env: { ROLE: 'api' }, signer: (vault) => (signer = new LosableSigner(vault)) });
    world = await World.create(test);
  });
  afterAll(() => test.close());

  it('is lost by these tests at every operation that users and servers bring about', () => {
    const ports = (['wallet', 'threshold'] as const).flatMap((port) =>
      Object.keys(remotePort(port, signer)).map((name) => `${port}.${name}`),
    );
    expect([...Object.keys(ACTS), ...OF_OPERATORS].sort()).toEqual(ports.sort());
  });

  it.each(Object.keys(ACTS).flatMap((operation) => MOMENTS.map((moment) => [operation, moment] as const)))(
    'at %s, %s it, leaves 503 and nothing half done, and the next attempt succeeds',
    async (operation, moment) => {
      const act = await ACTS[operation]!();
      const [before, losses] = [await standing(), signer.losses];
      signer.loseAt(operation, moment);
      expect(await act()).toEqual({ status: 503, code: 'signer_unavailable' });
      expect(signer.losses).toBe(losses + 1);
      expect(await standing()).toEqual(before);
      expect([200, 201, 202, 204]).toContain((await act()).status);
      expect((await test.app.get(LedgerVerifier).verify(world.environmentId)).broken).toBeUndefined();
    },
  );

  it('leaves a row for each signature, export and import that nobody may have got', async () => {
    const rows = await rowsOf<{ operation: string }>(
      test,
      `SELECT DISTINCT operation FROM key_ledger WHERE environment_id = $1 AND verdict = 'signer_unavailable'
       ORDER BY operation`,
      [world.environmentId],
    );
    expect(rows.map(({ operation }) => operation)).toEqual(['export', 'import', 'sign']);
  });
});
