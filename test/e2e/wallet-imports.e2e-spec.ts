import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519';
import { verifyPersonalMessageSignature } from '@mysten/sui/verify';
import { base58 } from '@scure/base';
import {
  createKeyPairSignerFromPrivateKeyBytes,
  signatureBytes,
  verifySignature,
  type SignatureBytes,
} from '@solana/kit';
import { payments } from 'bitcoinjs-lib';
import * as secp256k1 from 'tiny-secp256k1';
import { verifyMessage, type Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { forbidden } from '../../src/common/errors/index.js';
import { UnitOfWork } from '../../src/database/index.js';
import { WalletChecks } from '../../src/identity/index.js';
import { DevInbox } from '../../src/providers/index.js';
import { WalletsRepository } from '../../src/wallets/record/wallets.repository.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { newRecipient, sealFor } from '../support/hpke-open.js';
import { sessionsWaiting, waitingForMe } from '../support/lock-waits.js';
import { withClient } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { newStamper } from '../support/stamper.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { addSite, keySignIn } from '../support/wallet-sign-in.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

type Chain = 'EVM' | 'SOL' | 'SUI' | 'BTC';
interface WalletJson {
  id: string;
  chain: Chain;
  publicKey: string;
  properties: { keyvaultPrivateKeyId?: string; keyvaultHDWalletId?: string; keyvaultSubOrganizationId?: string };
}
interface Room {
  roomId: string;
  serverKeygenIds: string[];
  code?: string;
}

const CALLERS = 50;
const CHAINS = ['EVM', 'SOL', 'SUI', 'BTC'] as const;
const TEXT = 'I agree.';

/** The address of a key, and whether a signature is its, by the libraries that people have wallets of. */
const LIBRARIES: Record<
  Chain,
  { addressOf(key: Buffer): Promise<string>; verify(key: Buffer, signature: string): Promise<boolean> }
> = {
  EVM: {
    addressOf: async (key) => privateKeyToAccount(`0x${key.toString('hex')}`).address,
    verify: (key, signature) => {
      const { address } = privateKeyToAccount(`0x${key.toString('hex')}`);
      return verifyMessage({ address, message: TEXT, signature: signature as Hex });
    },
  },
  SOL: {
    addressOf: async (key) => (await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(key))).address,
    verify: async (key, signature) => {
      const { keyPair } = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(key));
      const bytes: SignatureBytes = signatureBytes(base58.decode(signature));
      return verifySignature(keyPair.publicKey, bytes, new Uint8Array(Buffer.from(TEXT)));
    },
  },
  SUI: {
    addressOf: async (key) => Ed25519Keypair.fromSecretKey(new Uint8Array(key)).toSuiAddress(),
    verify: async (key, signature) => {
      const publicKey = await verifyPersonalMessageSignature(new Uint8Array(Buffer.from(TEXT)), signature);
      return publicKey.toSuiAddress() === Ed25519Keypair.fromSecretKey(new Uint8Array(key)).toSuiAddress();
    },
  },
  BTC: {
    addressOf: async (key) => payments.p2wpkh({ pubkey: secp256k1.pointFromScalar(key, true)! }).address!,
    // BIP-322 is verified in wallet-signing; here the key is compared as it is exported again.
    verify: async (_, signature) => signature.length > 0,
  },
};

describe('a private key that a user brings along', () => {
  let test: TestApp;
  let world: World;

  const open = async (person: SignedIn, chain: Chain = 'EVM', headers?: Record<string, string>) =>
    world.anonymous.post<Room>(
      world.sdk('/waas/privateKey/import'),
      { chain: chain === 'SOL' ? 'SVM' : chain, clientKeygenIds: [], thresholdSignatureScheme: 'TWO_OF_TWO' },
      { token: person.jwt, headers: headers ?? (await proofOf(world, person.jwt)) },
    );
  const infoOf = (person: SignedIn, chain: Chain, roomId: string): Buffer =>
    Buffer.from(`import/v1|${world.environmentId}|${person.userId}|${chain}|${roomId}`);
  const sealed = (person: SignedIn, chain: Chain, room: Room, key: Buffer, address: string, which = 1) => {
    const recipient = Buffer.from(base58.decode(room.serverKeygenIds[which]!));
    const { enc, ciphertext } = sealFor(recipient, key, infoOf(person, chain, room.roomId), Buffer.from(address));
    return { enc: enc.toString('base64url'), ciphertext: ciphertext.toString('base64url'), address };
  };
  const bring = (person: Pick<SignedIn, 'jwt'>, roomId: string, offer: object) =>
    world.anonymous.post<{ code?: string; payload?: { reason: string }; jwt?: string }>(
      world.sdk(`/users/embeddedWallets/activities/${roomId}/import`),
      offer,
      { token: person.jwt },
    );
  const imported = async (person: SignedIn, chain: Chain, key: Buffer, which = 1): Promise<WalletJson> => {
    const room = (await open(person, chain)).body;
    const address = await LIBRARIES[chain].addressOf(key);
    const { status, body } = await bring(person, room.roomId, sealed(person, chain, room, key, address, which));
    if (status !== 201) throw new Error(JSON.stringify(body));
    return (await walletsOf(person)).find(({ publicKey }) => publicKey === address)!;
  };
  const walletsOf = async (person: SignedIn): Promise<WalletJson[]> =>
    (await world.api.get<{ user: { wallets: WalletJson[] } }>(world.path(`/users/${person.userId}`))).body.user.wallets;
  const signed = (person: SignedIn, walletId: string) =>
    world.anonymous.post<{ signature?: string }>(
      world.sdk(`/users/embeddedWallets/${walletId}/sign`),
      { kind: 'message', message: TEXT },
      { token: person.jwt },
    );
  const exported = async (person: SignedIn, wallet: WalletJson): Promise<Buffer> => {
    const recipient = newRecipient('X25519');
    const options = { token: person.jwt, headers: await proofOf(world, person.jwt), expect: 200 };
    const exportId = base58.encode(recipient.publicKey);
    const path = world.sdk(`/waas/${wallet.id}/privateKey/export`);
    const { roomId } = (await world.anonymous.post<Room>(path, { exportId }, options)).body;
    const bundlePath = world.sdk(`/users/embeddedWallets/${wallet.id}/activities/${roomId}/export`);
    const { exportBundle } = (
      await world.anonymous.get<{ exportBundle: string }>(bundlePath, { token: person.jwt, expect: 200 })
    ).body;
    const { enc, ciphertext } = JSON.parse(exportBundle) as { enc: string; ciphertext: string };
    const info = Buffer.from(`export/v1|${world.environmentId}|${person.userId}|${wallet.id}|${roomId}`);
    const [encapsulated, text] = [Buffer.from(enc, 'base64url'), Buffer.from(ciphertext, 'base64url')];
    return recipient.open(encapsulated, text, info, Buffer.from(wallet.publicKey));
  };
  const ownWallets = async (person: SignedIn, chains: readonly Chain[]): Promise<WalletJson[]> => {
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains }];
    const path = world.sdk('/users/embeddedWallets');
    await world.anonymous.post(path, { embeddedWallets }, { token: person.jwt, expect: 201 });
    return (await walletsOf(person)).filter(({ properties }) => properties?.keyvaultHDWalletId);
  };
  const deleted = async (person: SignedIn, walletId: string) => {
    const key = newStamper();
    const options = { token: person.jwt, headers: await proofOf(world, person.jwt) };
    const path = world.sdk('/users/embeddedWallets');
    await world.anonymous.post(`${path}/sessionKey`, { publicKey: key.publicKey }, { ...options, expect: 200 });
    const prepared = await world.anonymous.get(`${path}/${walletId}/deleteRequest`, { token: person.jwt, expect: 200 });
    const keyvaultSignedRequest = key.stamp(prepared.body);
    return world.anonymous.delete(path, { body: { keyvaultSignedRequest }, token: person.jwt, expect: 204 });
  };
  const ledgerOf = (person: SignedIn) =>
    rowsOf<{ operation: string; verdict: string; keysId: string }>(
      test,
      `SELECT operation, verdict, keys_id AS "keysId" FROM key_ledger
       WHERE environment_id = $1 AND user_id = $2 AND operation IN ('import', 'delete') ORDER BY sequence`,
      [world.environmentId, person.userId],
    );
  /** Everything of a person that an import could change. */
  const stateOf = (person: SignedIn) =>
    rowsOf(
      test,
      `SELECT (SELECT count(*) FROM wallets WHERE user_id = $1) AS wallets,
         (SELECT count(*) FROM wallet_seeds WHERE user_id = $1) AS keys,
         (SELECT count(*) FROM credentials WHERE user_id = $1) AS credentials,
         (SELECT count(*) FROM events WHERE environment_id = $2 AND name = 'wallet.created') AS events`,
      [person.userId, world.environmentId],
    );

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    await addSite(world);
  });
  afterAll(() => test.close());

  it.each(CHAINS.flatMap((chain) => [0, 1].map((which) => [chain, which] as const)))(
    'on %s, sealed to key %i of the service, is a wallet with its address that signs and is exported as it came',
    async (chain, which) => {
      const person = await world.signIn(newEmail());
      const key = randomBytes(32);
      const wallet = await imported(person, chain, key, which);
      expect(wallet.chain).toBe(chain);
      const { keyvaultPrivateKeyId, keyvaultHDWalletId } = wallet.properties;
      expect([keyvaultPrivateKeyId, keyvaultHDWalletId]).toEqual([expect.any(String), undefined]);
      const { status, body } = await signed(person, wallet.id);
      expect(status).toBe(200);
      expect(await LIBRARIES[chain].verify(key, body.signature!)).toBe(true);
      expect(await exported(person, wallet)).toEqual(key);
      expect(await ledgerOf(person)).toEqual([
        { operation: 'import', verdict: 'allowed', keysId: keyvaultPrivateKeyId },
      ]);
    },
  );

  it.each(CHAINS)(
    'that was exported from a wallet on %s gives the same address, once that wallet is gone',
    async (chain) => {
      const person = await world.signIn(newEmail());
      const [wallet] = await ownWallets(person, [chain]);
      const key = await exported(person, wallet!);
      const room = (await open(person, chain)).body;
      const while_ = await bring(person, room.roomId, sealed(person, chain, room, key, wallet!.publicKey));
      expect([while_.status, while_.body.code]).toEqual([422, 'imported_wallet_exists']);
      expect(await ledgerOf(person)).toMatchObject([{ operation: 'import', verdict: 'imported_wallet_exists' }]);
      await deleted(person, wallet!.id);
      const again = await imported(person, chain, key);
      expect(again.publicKey).toBe(wallet!.publicKey);
      expect(again.id).not.toBe(wallet!.id);
      expect((await signed(person, again.id)).status).toBe(200);
    },
  );

  it('stands beside the seed: each is deleted without the other', async () => {
    const person = await world.signIn(newEmail());
    const first = await imported(person, 'EVM', randomBytes(32));
    const seeded = await ownWallets(person, ['EVM', 'SOL']);
    const second = await imported(person, 'EVM', randomBytes(32));
    expect(seeded.map(({ chain }) => chain)).toEqual(['EVM', 'SOL']);
    const organizations = new Set(
      [first, second, ...seeded].map(({ properties }) => properties.keyvaultSubOrganizationId),
    );
    expect(organizations.size).toBe(1);
    await deleted(person, first.id);
    expect((await signed(person, first.id)).status).toBe(404);
    for (const { id } of [second, ...seeded]) expect((await signed(person, id)).status).toBe(200);
    for (const { id } of seeded) await deleted(person, id);
    expect((await signed(person, second.id)).status).toBe(200);
    const keysOf = ({ properties }: WalletJson) => properties.keyvaultPrivateKeyId ?? properties.keyvaultHDWalletId;
    const ended = (await ledgerOf(person)).filter(({ operation }) => operation === 'delete');
    expect(ended.map(({ keysId }) => keysId)).toEqual([keysOf(first), keysOf(seeded[0]!)]);
    // The console deletes the last one: its key goes with it.
    await world.api.delete(world.path(`/wallets/${second.id}`), { expect: 204 });
    const live = 'SELECT id FROM wallet_seeds WHERE user_id = $1 AND destroy_after IS NULL';
    expect(await rowsOf(test, live, [person.userId])).toEqual([]);
  });

  it('of a user without a seed is deleted by a signed request, and the others stay', async () => {
    const person = await world.signIn(newEmail());
    const [first, second] = [
      await imported(person, 'SOL', randomBytes(32)),
      await imported(person, 'SOL', randomBytes(32)),
    ];
    await deleted(person, second.id);
    expect((await signed(person, first.id)).status).toBe(200);
    const path = world.sdk('/users/embeddedWallets/walletAccounts/createRequest?chain=EVM');
    const { status, body } = await world.anonymous.get<{ code: string }>(path, { token: person.jwt });
    expect([status, body.code]).toEqual([422, 'no_hd_wallet_found']);
    await deleted(person, first.id);
    expect(await walletsOf(person)).toEqual([]);
  });

  describe('that is not what it is said to be', () => {
    type Offer = { enc: string; ciphertext: string; address: string };
    it.each<[string, (right: Offer, person: SignedIn, room: Room) => Promise<Offer>]>([
      [
        'of another address',
        async (_, person, room) => {
          const address = await LIBRARIES.EVM.addressOf(randomBytes(32));
          return sealed(person, 'EVM', room, randomBytes(32), address);
        },
      ],
      [
        'sealed with another address than it is sent with',
        async (right) => ({
          ...right,
          address: await LIBRARIES.EVM.addressOf(randomBytes(32)),
        }),
      ],
      [
        'sealed for another chain',
        async (_, person, room) => {
          const key = randomBytes(32);
          return sealed(person, 'BTC', room, key, await LIBRARIES.EVM.addressOf(key));
        },
      ],
      [
        'sealed to another import',
        async (_, person) => {
          const key = randomBytes(32);
          const other = (await open(person)).body;
          return sealed(person, 'EVM', other, key, await LIBRARIES.EVM.addressOf(key));
        },
      ],
      ['zero', async ({ address }, person, room) => sealed(person, 'EVM', room, Buffer.alloc(32), address)],
      ['too long', async ({ address }, person, room) => sealed(person, 'EVM', room, randomBytes(33), address)],
      [
        'altered',
        async ({ enc, ciphertext, address }) => {
          const bytes = Buffer.from(ciphertext, 'base64url');
          bytes[0]! ^= 1;
          return { enc, ciphertext: bytes.toString('base64url'), address };
        },
      ],
    ])('is refused and changes nothing: %s', async (_, wrong) => {
      const person = await world.signIn(newEmail());
      const room = (await open(person)).body;
      const key = randomBytes(32);
      const right = sealed(person, 'EVM', room, key, await LIBRARIES.EVM.addressOf(key));
      const offer = await wrong(right, person, room);
      const before = await stateOf(person);
      const { status, body } = await bring(person, room.roomId, offer);
      expect([status, body.code]).toEqual([422, 'import_refused']);
      expect(JSON.stringify(body)).not.toContain(key.toString('hex'));
      expect(await stateOf(person)).toEqual(before);
      expect(await ledgerOf(person)).toMatchObject([{ operation: 'import', verdict: 'import_refused' }]);
      // The public key was good for one message, whatever came of it.
      expect((await bring(person, room.roomId, right)).status).toBe(404);
    });
  });

  it(`is taken once, of ${CALLERS} who bring it at once`, async () => {
    const person = await world.signIn(newEmail());
    const room = (await open(person)).body;
    const key = randomBytes(32);
    const offer = sealed(person, 'EVM', room, key, await LIBRARIES.EVM.addressOf(key));
    const answers = await Promise.all(Array.from({ length: CALLERS }, () => bring(person, room.roomId, offer)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(CALLERS - 1).fill(404)]);
    expect(await walletsOf(person)).toHaveLength(1);
  });

  it('is the wallet of one of those who bring the same key at once', async () => {
    const people = await Promise.all(Array.from({ length: 10 }, () => world.signIn(newEmail())));
    const key = randomBytes(32);
    const address = await LIBRARIES.SUI.addressOf(key);
    const rooms = await Promise.all(people.map((person) => open(person, 'SUI')));
    const answers = await Promise.all(
      people.map((person, at) => {
        const room = rooms[at]!.body;
        return bring(person, room.roomId, sealed(person, 'SUI', room, key, address));
      }),
    );
    const outcomes = answers.map(({ status, body }) => (status === 201 ? 'made' : body.code));
    expect(outcomes.sort()).toEqual([...Array<string>(9).fill('imported_wallet_exists'), 'made']);
    const kept = `SELECT id FROM wallet_seeds WHERE user_id = ANY ($1::uuid[])`;
    expect(await rowsOf(test, kept, [people.map(({ userId }) => userId)])).toHaveLength(1);
  });

  it('is refused by a rule about wallets before anything of it is stored', async () => {
    const person = await world.signIn(newEmail());
    const room = (await open(person)).body;
    const key = randomBytes(32);
    const address = await LIBRARIES.EVM.addressOf(key);
    const before = await stateOf(person);
    const asked = jest.spyOn(test.app.get(WalletChecks, { strict: false }), 'assertAdmitted');
    asked.mockRejectedValueOnce(forbidden());
    const { status } = await bring(person, room.roomId, sealed(person, 'EVM', room, key, address));
    const calls = [...asked.mock.calls];
    asked.mockRestore();
    expect([status, calls]).toEqual([403, [[world.environmentId, [address], person.userId]]]);
    expect(await stateOf(person)).toEqual(before);
  });

  it('is the twentieth of a user at most', async () => {
    const person = await world.signIn(newEmail());
    const others = Array.from({ length: 19 }, () => ({ id: randomUUID(), address: randomBytes(20).toString('hex') }));
    const accounts = others.map((one) => ({ ...one, chain: 'SUI' as const, publicKey: '', index: null, path: null }));
    const draft = { userId: person.userId, name: 'Imported wallet', keysId: randomUUID(), version: 'V1' } as const;
    const wallets = test.app.get(WalletsRepository, { strict: false });
    await test.app
      .get(UnitOfWork, { strict: false })
      .run((tx) => wallets.insertEmbedded(world.environmentId, { ...draft, claimed: true, accounts }, tx));
    await imported(person, 'EVM', randomBytes(32));
    const room = (await open(person)).body;
    const key = randomBytes(32);
    const offer = sealed(person, 'EVM', room, key, await LIBRARIES.EVM.addressOf(key));
    const before = await stateOf(person);
    const { status, body } = await bring(person, room.roomId, offer);
    expect([status, body.code, await stateOf(person)]).toEqual([422, 'too_many_wallets', before]);
    expect((await ledgerOf(person)).at(-1)).toMatchObject({ operation: 'import', verdict: 'too_many_wallets' });
  });

  it('of a wallet that signs somebody in stays outside until it is unlinked, and then proves nobody', async () => {
    const person = await world.signIn(newEmail());
    const stranger = await world.signIn(newEmail());
    const secret = generatePrivateKey();
    const [key, bytes] = [privateKeyToAccount(secret), Buffer.from(secret.slice(2), 'hex')];
    const linked = world.sdk('/verify/link');
    const options = { token: person.jwt, headers: await proofOf(world, person.jwt), expect: 200 };
    await world.anonymous.post(linked, await keySignIn(world, key), options);
    for (const who of [person, stranger]) {
      const room = (await open(who)).body;
      const { status, body } = await bring(who, room.roomId, sealed(who, 'EVM', room, bytes, key.address));
      expect([status, body.code]).toEqual([422, 'wallet_signs_in']);
      expect(await ledgerOf(who)).toMatchObject([{ operation: 'import', verdict: 'wallet_signs_in' }]);
    }
    const external = (await walletsOf(person)).find(({ publicKey }) => publicKey === key.address)!;
    const proof = { token: person.jwt, headers: await proofOf(world, person.jwt), expect: 200 };
    await world.anonymous.post(world.sdk('/verify/unlink'), { walletId: external.id }, proof);
    await imported(person, 'EVM', bytes);
    const signIn = await world.anonymous.post<{ code?: string }>(
      world.sdk('/wallets/signin'),
      await keySignIn(world, key),
    );
    expect([signIn.status, signIn.body.code]).toEqual([422, 'embedded_wallet_proves_nobody']);
  });

  describe('is a way in or an embedded wallet, when both are wanted at once', () => {
    /** Somebody who brings a key, and how somebody else shows it. */
    const both = async (way: 'sign in' | 'link') => {
      const [person, stranger] = await Promise.all([world.signIn(newEmail()), world.signIn(newEmail())]);
      const secret = generatePrivateKey();
      const account = privateKeyToAccount(secret);
      const room = (await open(person)).body;
      const offer = sealed(person, 'EVM', room, Buffer.from(secret.slice(2), 'hex'), account.address);
      const claim = await keySignIn(world, account);
      const options = way === 'link' ? { token: stranger.jwt, headers: await proofOf(world, stranger.jwt) } : {};
      const path = world.sdk(way === 'link' ? '/verify/link' : '/wallets/signin');
      return {
        address: account.address,
        import: async () => {
          const { status, body } = await bring(person, room.roomId, offer);
          return status === 201 ? 'made' : body.code;
        },
        show: async () => {
          const { status, body } = await world.anonymous.post<{ code?: string }>(path, claim, options);
          return status === 200 ? 'in' : body.code;
        },
      };
    };
    const isBoth = async (addresses: string[]): Promise<boolean> => {
      const rows = await rowsOf(
        test,
        `SELECT FROM wallets w JOIN credentials c ON c.environment_id = w.environment_id
           AND c.address = w.address AND c.sign_in_enabled
         WHERE w.environment_id = $1 AND w.kind = 'embedded' AND w.address = ANY ($2::text[])`,
        [world.environmentId, addresses],
      );
      return rows.length > 0;
    };

    it.each([
      // What the first one waits for when it has looked, and the outcomes.
      ['sign in', 'import', 'wallet_seeds', ['made', 'embedded_wallet_proves_nobody']],
      ['link', 'import', 'wallet_seeds', ['made', 'embedded_wallet_proves_nobody']],
      ['sign in', 'show', 'credentials', ['in', 'wallet_signs_in']],
      ['link', 'show', 'credentials', ['in', 'wallet_signs_in']],
    ] as const)('%s, and the %s is first', async (way, first, table, expected) => {
      const person = await both(way);
      const second = first === 'import' ? 'show' : 'import';
      const outcomes = await withClient(test.databaseUrl, async (client) => {
        await client.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
        let settled = 0;
        const waitOrEnd = (calls: number) =>
          eventually('each waits or is over', async () => (await sessionsWaiting(test.databaseUrl)) + settled >= calls);
        const counted = (call: Promise<string | undefined>) => call.finally(() => settled++);
        const one = counted(person[first]());
        await waitOrEnd(1);
        const other = counted(person[second]());
        await waitOrEnd(2);
        await client.query('ROLLBACK');
        return Promise.all([one, other]);
      });
      expect([outcomes, await isBoth([person.address])]).toEqual([expected, false]);
    });

    it(`in ${CALLERS / 2} pairs`, async () => {
      const pairs = await Promise.all(Array.from({ length: CALLERS / 2 }, () => both('sign in')));
      const outcomes = await Promise.all(pairs.map((one) => Promise.all([one.import(), one.show()])));
      expect(outcomes.filter(([made, shown]) => (made === 'made') === (shown === 'in'))).toEqual([]);
      expect(await isBoth(pairs.map(({ address }) => address))).toBe(false);
    });
  });

  it('is not brought by another session, another user, for another import or too late', async () => {
    const person = await world.signIn(newEmail());
    const room = (await open(person)).body;
    const key = randomBytes(32);
    const offer = sealed(person, 'EVM', room, key, await LIBRARIES.EVM.addressOf(key));
    const others = [await world.signIn(person.email), await world.signIn(newEmail())];
    const refused = [
      await bring(others[0]!, room.roomId, offer),
      await bring(others[1]!, room.roomId, offer),
      await bring(person, randomUUID(), offer),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404]);
    await rowsOf(test, "UPDATE key_imports SET expires_at = now() - interval '1 second' WHERE id = $1", [room.roomId]);
    expect((await bring(person, room.roomId, offer)).status).toBe(404);
    expect(await walletsOf(person)).toEqual([]);
  });

  it('is asked for with a fresh proof, on a chain whose keys are held, without shares', async () => {
    const person = await world.signIn(newEmail());
    const without = await open(person, 'EVM', {});
    expect([without.status, without.body.code]).toEqual([403, 'fresh_proof_required']);
    const headers = await proofOf(world, person.jwt);
    const right = { chain: 'EVM', clientKeygenIds: [], thresholdSignatureScheme: 'TWO_OF_TWO' };
    for (const wrong of [{ chain: 'TON' }, { clientKeygenIds: ['abc'] }]) {
      const path = world.sdk('/waas/privateKey/import');
      const { status } = await world.anonymous.post(path, { ...right, ...wrong }, { token: person.jwt, headers });
      expect(status).toBe(400);
    }
  });

  it('cannot be asked for by a user who is being deleted: nothing is found', async () => {
    const person = await world.signIn(newEmail());
    const headers = await proofOf(world, person.jwt);
    const { status, body } = await withClient(test.databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query('DELETE FROM users WHERE id = $1', [person.userId]);
      const asked = open(person, 'EVM', headers);
      asked.catch(() => undefined);
      await eventually('the call waits', async () => (await waitingForMe(client, 'key_imports')) > 0);
      await client.query('COMMIT');
      return asked;
    });
    expect([status, body.code]).toEqual([404, 'not_found']);
  });

  it('is told to its user by mail', async () => {
    const person = await world.signIn(newEmail());
    const wallet = await imported(person, 'EVM', randomBytes(32));
    const mails = test.app.get(DevInbox).entries.filter(({ to }) => to === person.email);
    expect(mails.some((mail) => JSON.stringify(mail).includes(wallet.publicKey))).toBe(true);
  });

  it('is asked for three times in an hour, and then no more', async () => {
    const limited = await startTestApp({ env: { ROLE: 'api', RATE_LIMIT_SCALE: '1' }, databaseUrl: test.databaseUrl });
    try {
      const person = await world.signIn(newEmail());
      const there = Object.assign(Object.create(World.prototype) as World, world, { test: limited });
      const statuses: number[] = [];
      for (let at = 0; at < 4; at++) {
        const request = { chain: 'EVM', clientKeygenIds: [], thresholdSignatureScheme: 'TWO_OF_TWO' };
        const options = { token: person.jwt, headers: await proofOf(there, person.jwt) };
        statuses.push((await there.anonymous.post(there.sdk('/waas/privateKey/import'), request, options)).status);
      }
      expect(statuses).toEqual([200, 200, 200, 429]);
    } finally {
      await limited.close();
    }
  });
});
