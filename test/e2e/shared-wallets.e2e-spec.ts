import { createHash, createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { verifyPersonalMessageSignature } from '@mysten/sui/verify';
import { base58 } from '@scure/base';
import {
  address as solanaAddressOf,
  appendTransactionMessageInstruction,
  compileTransaction,
  createTransactionMessage,
  getBase64Encoder,
  getTransactionDecoder,
  getTransactionEncoder,
  lamports,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { LiteSVM, TransactionMetadata } from 'litesvm';
import {
  createWallet,
  KeyGeneration,
  signInRoom,
  signingShares,
  type ShareSet,
} from '../../clients/custody/src/index.js';
import { usersUnlock } from '../../src/cli/users.commands.js';
import { notFound } from '../../src/common/errors/index.js';
import { ThresholdKeys } from '../../src/custody/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { captureLog } from '../support/log.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { roomsOf } from '../support/shared-wallet.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface Opened {
  roomId: string;
  serverKeygenIds: string[];
  walletId: string;
  code?: string;
  payload?: { reason?: string; party?: number; state?: string };
}
interface Messages {
  state: string;
  failure?: string;
  code?: string;
  payload?: { reason?: string; party?: number; state?: string };
  messages: { sequence: number; sender: string; message: Record<string, unknown> }[];
}
interface Nonces {
  message: string;
  commitments: { id: number; hiding: string; binding: string }[];
}

const CALLERS = 50;
/** Of which each has a tenth of them: a user has 20 rooms at most. */
const USERS = 10;
const TEXT = 'I agree.';
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** By OpenSSL. */
const verifies = (message: Uint8Array, publicKey: Uint8Array, signature: Uint8Array): boolean =>
  verify(
    null,
    message,
    createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' }),
    signature,
  );

describe('a wallet whose key its user and the service share', () => {
  let test: TestApp;
  let world: World;
  let owner: SignedIn;
  let sol: ShareSet;

  const waas = (path: string, body: object, token = owner.jwt) =>
    world.anonymous.post<Opened & Messages & { roomIds: string[] }>(world.sdk(`/waas/${path}`), body, { token });
  const read = (roomId: string, query = '', token = owner.jwt) =>
    world.anonymous.get<Messages>(world.sdk(`/waas/rooms/${roomId}/messages${query}`), { token });
  const post = (roomId: string, message: object, token = owner.jwt) =>
    waas(`rooms/${roomId}/messages`, { message }, token);
  const make = async (chain: 'SVM' | 'SUI', thresholdSignatureScheme = 'TWO_OF_TWO', person = owner) => {
    const generation = await KeyGeneration.begin(thresholdSignatureScheme as 'TWO_OF_TWO', chain);
    const request = { chain, clientKeygenIds: generation.keygenIds, thresholdSignatureScheme };
    const { status, body } = await waas('create', request, person.jwt);
    expect([status, body.code]).toEqual([200, undefined]);
    const rooms = roomsOf(world, person.jwt);
    return createWallet(rooms, world.environmentId, generation, body, () => Promise.resolve());
  };
  const begin = async (shares: ShareSet, body: object = { message: TEXT }, person = owner): Promise<string> => {
    const { status, body: opened } = await waas(`${shares.walletId}/signMessage`, body, person.jwt);
    expect([status, opened.code]).toEqual([200, undefined]);
    return opened.roomId;
  };
  const ownShares = async (shares: ShareSet, roomId: string, person = owner) => {
    const { body } = await read(roomId, '', person.jwt);
    const { message, commitments } = body.messages[0]!.message as unknown as Nonces;
    return signingShares(shares, commitments, Buffer.from(message, 'base64url'), [1]);
  };
  const ledgerOf = (walletId: string, operation: string) =>
    rowsOf<{ verdict: string; digest: Buffer | null; subject: Record<string, unknown> }>(
      test,
      `SELECT verdict, digest, subject FROM key_ledger
       WHERE environment_id = $1 AND operation = $3 AND subject->>'walletId' = $2 ORDER BY sequence`,
      [world.environmentId, walletId, operation],
    );
  const walletOf = async (walletId: string, person = owner) => {
    const { body } = await world.api.get<{ user: { wallets: { id: string; properties: Record<string, unknown> }[] } }>(
      world.path(`/users/${person.userId}`),
    );
    return body.user.wallets.find(({ id }) => id === walletId);
  };
  const someone = (): Promise<SignedIn> => world.signIn(newEmail());

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    owner = await someone();
    sol = await make('SVM');
  });
  afterAll(() => test.close());

  describe('is made', () => {
    it('by a key generation of both, and is shown with its protocol, in the ledger and by an event', async () => {
      expect(await walletOf(sol.walletId)).toMatchObject({
        chain: 'SOL',
        publicKey: sol.address,
        properties: { version: 'V3', thresholdSignatureScheme: 'TWO_OF_TWO', claimed: true },
      });
      expect((await walletOf(sol.walletId))!.properties).not.toHaveProperty('keyvaultHDWalletId');
      expect(await ledgerOf(sol.walletId, 'create')).toMatchObject([
        { verdict: 'allowed', subject: { protocol: 'FROST', scheme: 'TWO_OF_TWO', address: sol.address } },
      ]);
      const events = await eventsOf(test, world.environmentId, sol.walletId);
      expect(events.map(({ name }) => name)).toContain('wallet.created');
    });

    it.each(['TWO_OF_THREE', 'THREE_OF_FIVE'])('by %s as well, on Sui', async (scheme) => {
      const shares = await make('SUI', scheme);
      expect(await walletOf(shares.walletId)).toMatchObject({ properties: { thresholdSignatureScheme: scheme } });
      const roomId = await begin(shares);
      const rooms = roomsOf(world, owner.jwt);
      const wanted = { chain: 'SUI', kind: 'message', bytes: Buffer.from(TEXT) } as const;
      const { signed } = await signInRoom(rooms, shares, wanted, roomId);
      const verified = await verifyPersonalMessageSignature(Buffer.from(TEXT), signed.signature!);
      expect(verified.toSuiAddress()).toBe(shares.address);
    });

    it('only when the user has proved to have the shares', async () => {
      const person = await someone();
      const generation = await KeyGeneration.begin('TWO_OF_TWO', 'SVM');
      const { body } = await waas('create', { chain: 'SVM', clientKeygenIds: generation.keygenIds }, person.jwt);
      const lost = createWallet(roomsOf(world, person.jwt), world.environmentId, generation, body, () =>
        Promise.reject(new Error('the disk is full')),
      );
      await expect(lost).rejects.toThrow('the disk is full');
      expect(await walletOf(body.walletId, person)).toBeUndefined();
      const count = 'SELECT count(*)::int AS count FROM key_share_sets WHERE user_id = $1';
      expect(await rowsOf(test, count, [person.userId])).toEqual([{ count: 0 }]);
    });

    it('not with public keys that are none, or another number of them', async () => {
      const { keygenIds } = await KeyGeneration.begin('TWO_OF_THREE', 'SVM');
      const zero = base58.encode(new Uint8Array(32));
      for (const clientKeygenIds of [keygenIds, [], ['2'], [zero], ['1'.repeat(100)]]) {
        const { status, body } = await waas('create', { chain: 'SVM', clientKeygenIds });
        expect([status, body.code]).toEqual([400, 'validation_failed']);
      }
    });
  });

  describe('signs', () => {
    it('a message, as OpenSSL verifies, with a row of the ledger and an event', async () => {
      const wanted = { chain: 'SVM', kind: 'message', bytes: Buffer.from(TEXT) } as const;
      const { signature, signed } = await signInRoom(roomsOf(world, owner.jwt), sol, wanted, await begin(sol));
      expect(verifies(Buffer.from(TEXT), base58.decode(sol.address), signature)).toBe(true);
      expect(signed.signature).toBe(base58.encode(signature));
      const rows = await ledgerOf(sol.walletId, 'sign');
      expect(rows.at(-1)).toMatchObject({ verdict: 'allowed', subject: { protocol: 'FROST' } });
      const told = (await eventsOf(test, world.environmentId, sol.walletId)).filter(
        ({ name }) => name === 'wallet.signed',
      );
      expect(told.at(-1)!.data).toMatchObject({ kind: 'message', digest: rows.at(-1)!.digest!.toString('hex') });
    });

    it('a transaction of Solana, which a validator runs', async () => {
      const svm = new LiteSVM();
      const from = solanaAddressOf(sol.address);
      const to = solanaAddressOf('9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM');
      svm.airdrop(from, lamports(1_000_000_000n));
      const data = Buffer.alloc(12);
      data.writeUInt32LE(2);
      data.writeBigUInt64LE(10_000_000n, 4);
      const lifetime = { blockhash: svm.latestBlockhash(), lastValidBlockHeight: 10n };
      const transfer = {
        programAddress: solanaAddressOf('11111111111111111111111111111111'),
        accounts: [
          { address: from, role: 3 },
          { address: to, role: 1 },
        ],
        data: new Uint8Array(data),
      };
      const transaction = compileTransaction(
        pipe(
          createTransactionMessage({ version: 0 }),
          (message) => setTransactionMessageFeePayer(from, message),
          (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
          (message) => appendTransactionMessageInstruction(transfer, message),
        ),
      );
      const bytes = Buffer.from(getTransactionEncoder().encode(transaction));
      const message = bytes.toString('base64');
      const context = {
        svmTransaction: { chainId: '101', method: 'signTransaction', serializedTransactions: [message] },
      };
      const roomId = await begin(sol, { message, context });
      const wanted = { chain: 'SVM', kind: 'transaction', bytes } as const;
      const { signed } = await signInRoom(roomsOf(world, owner.jwt), sol, wanted, roomId);
      const decoded = getTransactionDecoder().decode(getBase64Encoder().encode(signed.signedTransaction!));
      expect(svm.sendTransaction(decoded)).toBeInstanceOf(TransactionMetadata);
      expect(svm.getBalance(to)).toBe(10_000_000n);
    });

    it('nothing that differs from what it is said to be', async () => {
      const context = { svmTransaction: { chainId: '101', method: 'x', serializedTransactions: ['AQID'] } };
      for (const body of [
        { message: 'AQIE', context },
        { message: TEXT, context: { evmMessage: TEXT } },
        { message: TEXT, bitcoinConfig: {} },
        { message: 'xyz', isFormatted: true },
      ]) {
        expect((await waas(`${sol.walletId}/signMessage`, body)).status).toBe(400);
      }
      const { status, body } = await waas(`${sol.walletId}/signMessage`, { message: 'AQID', context });
      expect([status, body.code]).toEqual([422, 'unsignable_request']);
      expect((await ledgerOf(sol.walletId, 'sign')).at(-1)).toMatchObject({ verdict: 'unsignable_request' });
    });

    it('30 times a minute at most, what is refused among them', async () => {
      const env = { ROLE: 'api', RATE_LIMIT_SCALE: '1' };
      const limited = await startTestApp({ env, databaseUrl: test.databaseUrl });
      try {
        const there = Object.assign(Object.create(World.prototype) as World, world, { test: limited });
        // Opens no room, of which there are too many before.
        const context = { svmTransaction: { chainId: '101', method: 'x', serializedTransactions: ['AQID'] } };
        const path = there.sdk(`/waas/${sol.walletId}/signMessage`);
        const ask = () => there.anonymous.post<Opened>(path, { message: 'AQID', context }, { token: owner.jwt });
        const codes = (await Promise.all(Array.from({ length: 35 }, ask))).map(({ body }) => body.code);
        expect(codes.filter((code) => code === 'unsignable_request')).toHaveLength(30);
        expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(5);
      } finally {
        await limited.close();
      }
    });

    it('nothing that the policy of the environment refuses, and no nonce is made for it', async () => {
      const guarded = await World.create(test);
      const person = await guarded.signIn(newEmail());
      const generation = await KeyGeneration.begin('TWO_OF_TWO', 'SVM');
      const request = { chain: 'SVM', clientKeygenIds: generation.keygenIds };
      const opened = await guarded.anonymous.post<Opened>(guarded.sdk('/waas/create'), request, { token: person.jwt });
      const rooms = roomsOf(guarded, person.jwt);
      const shares = await createWallet(rooms, guarded.environmentId, generation, opened.body, async () => {});
      const rule = {
        name: 'No signing',
        ruleType: 'deny',
        chain: 'SVM',
        operationRestrictions: { blockClientSigning: true },
      };
      await guarded.api.post(guarded.path('/waas/policies'), { rulesToAdd: [rule] }, { expect: 201 });
      const path = guarded.sdk(`/waas/${shares.walletId}/signMessage`);
      const { body } = await guarded.anonymous.post<Opened>(path, { message: TEXT }, { token: person.jwt });
      expect(body.code).toBe('refused_by_signing_policy');
      const held = "SELECT count(*)::int AS count FROM ceremony_rooms WHERE user_id = $1 AND kind = 'sign'";
      expect(await rowsOf(test, held, [person.userId])).toEqual([{ count: 0 }]);
    });
  });

  describe('in a room', () => {
    it('gives one share for its nonces, however often and at once it is asked', async () => {
      const roomId = await begin(sol);
      const own = await ownShares(sol, roomId);
      const answers = await Promise.all(Array.from({ length: 100 }, () => post(roomId, own)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ body }) => body.code === 'room_over')).toHaveLength(99);
      const { body } = await read(roomId);
      expect(body.state).toBe('done');
      expect(body.messages.map(({ sequence, sender }) => [sequence, sender])).toEqual([
        [1, 'server'],
        [2, 'client'],
        [3, 'server'],
      ]);
      const left = 'SELECT count(*)::int AS count FROM ceremony_rooms WHERE id = $1 AND sealed_state IS NOT NULL';
      expect(await rowsOf(test, left, [roomId])).toEqual([{ count: 0 }]);
    });

    it('gives one share for its nonces, though each of 100 answers asks for another one', async () => {
      const roomId = await begin(sol);
      const others: object[] = [];
      for (let at = 0; at < 100; at++) others.push(await ownShares(sol, roomId));
      expect(new Set(others.map((one) => JSON.stringify(one))).size).toBe(100);
      const [first, ...rest] = await Promise.all(others.slice(0, 50).map((one) => post(roomId, one)));
      const late: Awaited<ReturnType<typeof post>>[] = [];
      for (const one of others.slice(50)) late.push(await post(roomId, one));
      const answers = [first!, ...rest, ...late];
      const shared = answers.filter(({ status }) => status === 200);
      expect(shared).toHaveLength(1);
      expect(answers.filter(({ body }) => body.code === 'room_over')).toHaveLength(99);
      const { body } = await read(roomId);
      expect(body.messages.filter(({ message }) => message['type'] === 'sign.done')).toHaveLength(1);
    });

    it(`works for ${CALLERS} ceremonies at once`, async () => {
      const people = await Promise.all(Array.from({ length: USERS }, someone));
      const pairs: { person: SignedIn; shares: ShareSet }[] = [];
      for (const person of people) pairs.push({ person, shares: await make('SVM', 'TWO_OF_TWO', person) });
      const ceremonies = Array.from({ length: CALLERS }, (_, at) => pairs[at % USERS]!);
      const wanted = { chain: 'SVM', kind: 'message', bytes: Buffer.from(TEXT) } as const;
      await Promise.all(
        ceremonies.map(async ({ person, shares }) => {
          const roomId = await begin(shares, { message: TEXT }, person);
          const { signature } = await signInRoom(roomsOf(world, person.jwt), shares, wanted, roomId);
          expect(verifies(Buffer.from(TEXT), base58.decode(shares.address), signature)).toBe(true);
        }),
      );
    }, 180_000);

    it('names the participant whose share was tampered with, and ends: the right share comes too late', async () => {
      const roomId = await begin(sol);
      const own = await ownShares(sol, roomId);
      const share = own.shares[0]!.share;
      const tampered = {
        ...own,
        shares: [{ id: 1, share: `${share.startsWith('00') ? '01' : '00'}${share.slice(2)}` }],
      };
      const refused = await post(roomId, tampered);
      expect([refused.status, refused.body.code, refused.body.payload?.party]).toEqual([422, 'ceremony_aborted', 1]);
      expect((await post(roomId, own)).body.code).toBe('room_over');
      expect((await read(roomId)).body).toMatchObject({
        state: 'aborted',
        failure: expect.stringContaining('participant 1'),
      });
      expect((await ledgerOf(sol.walletId, 'sign')).at(-1)).toMatchObject({ verdict: 'ceremony_aborted' });
    });

    it.each(['hides', 'is bereft of'])(
      'is refused, with a row of the ledger, when its user %s the wallet',
      async (way) => {
        const person = await someone();
        const shares = await make('SVM', 'TWO_OF_TWO', person);
        const roomId = await begin(shares, { message: TEXT }, person);
        const own = await ownShares(shares, roomId, person);
        if (way === 'hides') {
          const path = world.sdk(`/users/embeddedWallets/${shares.walletId}/softDelete`);
          await world.anonymous.delete(path, { token: person.jwt, expect: 204 });
        } else await world.api.delete(world.path(`/wallets/${shares.walletId}`), { expect: 204 });
        const refused = await post(roomId, own, person.jwt);
        expect([refused.status, refused.body.code]).toEqual([404, 'not_found']);
        const digest = createHash('sha256').update(TEXT).digest();
        const { address } = shares;
        expect(await ledgerOf(shares.walletId, 'sign')).toMatchObject([
          { verdict: 'not_found', digest, subject: { chain: 'SOL', address, protocol: 'FROST' } },
        ]);
      },
    );

    it('leaves a row of the ledger when the signer fails: it may have used the shares', async () => {
      const person = await someone();
      const shares = await make('SVM', 'TWO_OF_TWO', person);
      const roomId = await begin(shares, { message: TEXT }, person);
      const own = await ownShares(shares, roomId, person);
      const failing = jest
        .spyOn(test.app.get(ThresholdKeys).signer, 'sign')
        .mockRejectedValueOnce(new Error('Broken.'));
      const path = `${test.url}/api/v0${world.sdk(`/waas/rooms/${roomId}/messages`)}`;
      const headers = { authorization: `Bearer ${person.jwt}`, 'content-type': 'application/json' };
      const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ message: own }) });
      failing.mockRestore();
      expect(answer.status).toBe(500);
      expect(await ledgerOf(shares.walletId, 'sign')).toMatchObject([{ verdict: 'internal_error' }]);
    });

    it('signs what its nonces were made for, whatever the database says of it since', async () => {
      const roomId = await begin(sol);
      const { commitments } = (await read(roomId)).body.messages[0]!.message as unknown as Nonces;
      const other = Buffer.from('I owe you everything.');
      const own = signingShares(sol, commitments, other, [1]);
      const planted = JSON.stringify({ kind: 'message', bytes: other.toString('base64') });
      await rowsOf(
        test,
        "UPDATE ceremony_rooms SET subject = jsonb_set(subject, '{request}', $2::jsonb) WHERE id = $1",
        [roomId, planted],
      );
      const log = captureLog();
      try {
        // Without the client that holds answers against the document: a planted row is a failure of the service.
        const answer = await fetch(`${test.url}/api/v0${world.sdk(`/waas/rooms/${roomId}/messages`)}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${owner.jwt}`, 'content-type': 'application/json' },
          body: JSON.stringify({ message: own }),
        });
        expect([answer.status, (await answer.text()).includes('sign.done')]).toEqual([500, false]);
      } finally {
        log.stop();
      }
    });

    it('leaves it as it is when something is posted that is no message of a ceremony', async () => {
      const roomId = await begin(sol);
      for (const message of [{}, { type: 'sign.shares' }, { type: 'sign.shares', commitments: [], shares: [] }]) {
        expect((await post(roomId, message)).body.code).toBe('malformed_ceremony_message');
      }
      expect((await post(roomId, await ownShares(sol, roomId))).status).toBe(200);
    });

    it('belongs to its session alone: neither a stranger nor another session of the user finds it', async () => {
      const roomId = await begin(sol);
      const own = await ownShares(sol, roomId);
      const stranger = await someone();
      const elsewhere = await world.signIn(owner.email);
      for (const { jwt } of [stranger, elsewhere]) {
        expect((await read(roomId, '', jwt)).status).toBe(404);
        expect((await post(roomId, own, jwt)).status).toBe(404);
      }
      const path = `${sol.walletId}/signMessage`;
      expect((await waas(path, { message: TEXT }, stranger.jwt)).status).toBe(404);
      expect((await post(roomId, own)).status).toBe(200);
    });

    it('is over after its time, and gives no share then', async () => {
      const roomId = await begin(sol);
      const own = await ownShares(sol, roomId);
      await rowsOf(test, "UPDATE ceremony_rooms SET expires_at = now() - interval '1 second' WHERE id = $1", [roomId]);
      expect((await read(roomId)).body.state).toBe('expired');
      const late = await post(roomId, own);
      expect([late.status, late.body.payload?.state]).toEqual([409, 'expired']);
    });

    it('can be opened ahead, 20 at once at most, and each is good for one ceremony', async () => {
      const person = await someone();
      const shares = await make('SVM', 'TWO_OF_TWO', person);
      const open = (roomCount: number) =>
        waas(`${shares.walletId}/createRooms`, { roomType: 'threshold', roomCount }, person.jwt);
      const answers = await Promise.all(Array.from({ length: 8 }, () => open(5)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
      expect(answers.filter(({ body }) => body.code === 'too_many_rooms')).toHaveLength(4);
      // None of them is for a new key, which would be one more.
      const { keygenIds } = await KeyGeneration.begin('TWO_OF_TWO', 'SVM');
      const another = await waas('create', { chain: 'SVM', clientKeygenIds: keygenIds }, person.jwt);
      expect([another.status, another.body.code]).toEqual([422, 'too_many_rooms']);
      const [roomId] = answers.find(({ status }) => status === 200)!.body.roomIds as [string];
      expect((await read(roomId, '', person.jwt)).body).toMatchObject({ state: 'open', messages: [] });
      const body = { message: TEXT, roomId };
      expect(await begin(shares, body, person)).toBe(roomId);
      const again = await waas(`${shares.walletId}/signMessage`, body, person.jwt);
      expect(again.status).toBe(404);
    });

    it('that was opened ahead is taken by one of many ceremonies that begin at once, and is back if that is refused', async () => {
      const person = await someone();
      const shares = await make('SVM', 'TWO_OF_TWO', person);
      const asked = { roomType: 'threshold', roomCount: 10 };
      const { roomIds } = (await waas(`${shares.walletId}/createRooms`, asked, person.jwt)).body;
      const sign = () => waas(`${shares.walletId}/signMessage`, { message: TEXT }, person.jwt);
      const begun = jest.spyOn(test.app.get(ThresholdKeys).signer, 'beginSigning');
      begun.mockRejectedValueOnce(notFound());
      expect((await sign()).status).toBe(404);
      begun.mockRestore();
      const answers = await Promise.all(Array.from({ length: 10 }, sign));
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
      expect(answers.map(({ body }) => body.roomId).sort()).toEqual([...roomIds].sort());
    });

    it('waits for the next message as long as it is asked to', async () => {
      const person = await someone();
      const shares = await make('SVM', 'TWO_OF_TWO', person);
      const rooms = await waas(`${shares.walletId}/createRooms`, { roomType: 'threshold', roomCount: 1 }, person.jwt);
      const [roomId] = rooms.body.roomIds as [string];
      const waiting = read(roomId, '?after=0&waitSeconds=20', person.jwt);
      await begin(shares, { message: TEXT, roomId }, person);
      expect((await waiting).body.messages).toMatchObject([{ sequence: 1, sender: 'server' }]);
    });

    it('is refused after ten ceremonies that were given up', async () => {
      const person = await someone();
      const shares = await make('SVM', 'TWO_OF_TWO', person);
      for (let at = 0; at < 10; at++) {
        const roomId = await begin(shares, { message: TEXT }, person);
        const own = await ownShares(shares, roomId, person);
        const wrong = { ...own, shares: [{ id: 1, share: '01'.padEnd(64, '0') }] };
        expect((await post(roomId, wrong, person.jwt)).body.code).toBe('ceremony_aborted');
      }
      const { body } = await waas(`${shares.walletId}/signMessage`, { message: TEXT }, person.jwt);
      expect(body.code).toBe('ceremonies_locked');
      const said = jest.spyOn(console, 'log').mockReturnValue();
      try {
        await usersUnlock(test.app, ['--environment', world.environmentId, '--user', person.userId]);
        expect(said).toHaveBeenLastCalledWith('ceremonies      that were given up count no more: 10');
      } finally {
        said.mockRestore();
      }
      await begin(shares, { message: TEXT }, person);
    });
  });

  it('is read by the team, as one whose key the service holds alone is not', async () => {
    const person = await someone();
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['SOL'] }];
    const path = world.sdk('/users/embeddedWallets');
    await world.anonymous.post(path, { embeddedWallets }, { token: person.jwt, expect: 201 });
    const { body } = await world.api.get<{ user: { wallets: { id: string }[] } }>(
      world.path(`/users/${person.userId}`),
    );
    const read = (walletId: string) => world.api.get<{ code?: string }>(world.path(`/waas/${walletId}`));
    expect((await read(sol.walletId)).status).toBe(200);
    const held = await read(body.user.wallets[0]!.id);
    expect([held.status, held.body.code]).toEqual([422, 'threshold_wallet_only']);
  });

  it('loses the service’s shares with the wallet, so that nothing is signed any more', async () => {
    const person = await someone();
    const shares = await make('SVM', 'TWO_OF_TWO', person);
    const roomId = await begin(shares, { message: TEXT }, person);
    const own = await ownShares(shares, roomId, person);
    await world.api.delete(world.path(`/users/${person.userId}`), { expect: 204 });
    expect((await post(roomId, own, person.jwt)).status).toBeGreaterThanOrEqual(400);
    const count = 'SELECT count(*)::int AS count FROM key_share_sets WHERE user_id = $1';
    expect(await rowsOf(test, count, [person.userId])).toEqual([{ count: 0 }]);
  });

  it('keeps no share and no nonce in the clear', async () => {
    const roomId = await begin(sol);
    const tables = ['key_share_sets', 'ceremony_rooms', 'ceremony_messages', 'key_ledger', 'events'];
    for (const table of tables) {
      const rows = await rowsOf<{ text: string }>(
        test,
        `SELECT t::text AS text FROM ${table} t WHERE environment_id = $1`,
        [world.environmentId],
      );
      for (const { share } of sol.secrets) expect(rows.some(({ text }) => text.includes(share))).toBe(false);
      if (table === 'ceremony_rooms') expect(rows.some(({ text }) => text.includes(roomId))).toBe(true);
    }
  });
});
