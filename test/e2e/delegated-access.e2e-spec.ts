import { createHash, generateKeyPairSync, privateDecrypt, publicEncrypt, randomBytes, constants } from 'node:crypto';
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { parseTransaction, recoverMessageAddress, recoverTypedDataAddress, serializeTransaction, type Hex } from 'viem';
import { createWallet as createSharedWallet, KeyGeneration, type OpenedRoom } from '../../clients/custody/src/index.js';
import { WalletSigner } from '../../src/custody/signer/wallet-signer.js';
import { UnitOfWork } from '../../src/database/index.js';
import { DevInbox } from '../../src/providers/index.js';
import { WalletDelegationsRepository } from '../../src/wallets/delegation/wallet-delegations.repository.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { sessionsWaiting } from '../support/lock-waits.js';
import { withClient } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { roomInDay } from '../support/room-in-day.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { roomsOf } from '../support/shared-wallet.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface Answer {
  code?: string;
  payload?: { reason?: string };
  delegatedShareDeliveryId: string;
  status: string;
  roomId: string;
  signature?: string;
  signedTransaction?: string;
  digest?: string;
  results: { walletId: string; success: boolean; error?: string }[];
  succeeded: number;
  failed: number;
  total: number;
}
interface Sealed {
  alg: string;
  iv: string;
  ct: string;
  tag: string;
  ek: string;
}

const SHOP = '0x00000000000000000000000000000000000000AA';
const CALLERS = 50;
/** Of the network, of each transaction here: counted by the caps like what is sent. */
const FEE = 210_000n;
const caps = (one: bigint, day: bigint) => ({ maxPerTransaction: `${one}`, maxPerDay: `${day}` });
/** What a user may sign in a minute. */
const SIGNATURES = 30;
const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const OAEP = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' };

/** As docs/delegated-access.md tells clients. */
function seal(credential: Buffer): Sealed {
  const [key, iv] = [randomBytes(32), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const ct = Buffer.concat([cipher.update(credential), cipher.final()]);
  const text = (bytes: Buffer): string => bytes.toString('base64url');
  const ek = publicEncrypt({ key: publicKey, ...OAEP }, key);
  return { alg: 'HYBRID-RSA-AES-256', iv: text(iv), ct: text(ct), tag: text(cipher.getAuthTag()), ek: text(ek) };
}

/** As it tells servers. */
function open({ iv, ct, tag, ek }: Sealed): Buffer {
  const key = privateDecrypt({ key: privateKey, ...OAEP }, Buffer.from(ek, 'base64url'));
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(iv, 'base64url'), { authTagLength: 16 });
  decipher.setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([decipher.update(Buffer.from(ct, 'base64url')), decipher.final()]);
}

describe('access to a wallet that its user gives to the servers of the team', () => {
  let test: TestApp;
  let world: World;
  let user: SignedIn;
  let walletId: string;
  let address: string;
  let server: string;

  const delegation = (id = walletId) => world.path(`/waas/${id}/delegatedAccess`);
  async function createWallet(person: SignedIn): Promise<{ id: string; publicKey: string }> {
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM'] }];
    const path = world.sdk('/users/embeddedWallets');
    await world.anonymous.post(path, { embeddedWallets }, { token: person.jwt, expect: 201 });
    const { body } = await world.api.get<{ user: { wallets: { id: string; publicKey: string }[] } }>(
      world.path(`/users/${person.userId}`),
    );
    return body.user.wallets[0]!;
  }
  async function deliver(
    extra: object = {},
    options: { token?: string; id?: string; proof?: boolean; headers?: Record<string, string> } = {},
  ) {
    const { token = user.jwt, id = walletId, proof = true } = options;
    const credential = randomBytes(32);
    const credentialHash = createHash('sha256').update(credential).digest('hex');
    const body = { encryptedDelegatedShare: seal(credential), credentialHash, ...extra };
    const headers = options.headers ?? (proof ? await proofOf(world, token) : {});
    const send = () =>
      world.anonymous.post<Answer>(world.sdk(`/waas/${id}/delegatedAccess/delivery`), body, { token, headers });
    return { ...(await send()), credential, replay: send };
  }
  const turn = (enabled: boolean) =>
    world.owner.put(world.path(''), { sdk: { waas: { delegatedAccess: { enabled } } } }, { expect: 200 });
  const given = async (extra: object = {}): Promise<Buffer> => {
    const { status, body, credential } = await deliver(extra);
    expect([status, body.code]).toEqual([202, undefined]);
    return credential;
  };
  const sign = (credential: Buffer, body: object = { message: 'I agree.' }, token = server, id = walletId) =>
    world.anonymous.withToken(token).post<Answer>(`${delegation(id)}/signMessage`, body, {
      headers: { 'x-delegation-credential': credential.toString('base64url') },
    });
  const transaction = (value: bigint, { to = SHOP, gas = 21_000n }: { to?: string; gas?: bigint } = {}) => ({
    kind: 'evmTransaction',
    message: serializeTransaction({ chainId: 1, to: to as Hex, value, gas, maxFeePerGas: 10n, nonce: 0 }),
  });
  const refuse = (hasDeniedDelegatedAccess: boolean, token = user.jwt) =>
    world.anonymous.put<Answer>(world.sdk(`/waas/${walletId}/settings`), { hasDeniedDelegatedAccess }, { token });
  const ledger = () =>
    rowsOf<{ operation: string; verdict: string; actor: { type: string } }>(
      test,
      `SELECT operation, verdict, actor FROM key_ledger
       WHERE environment_id = $1 AND operation IN ('sign', 'delegate') ORDER BY sequence`,
      [world.environmentId],
    );

  // What was spent counts by the day of UTC: no sentence about it begins at its end.
  beforeEach(roomInDay);

  beforeAll(async () => {
    test = await sharedTestApp();
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    world = await World.create(test);
    await turn(true);
    await world.api.post(world.path('/waas/delegatedAccess/encryptionPublicKeys'), { publicKey }, { expect: 201 });
    user = await world.signIn(newEmail());
    ({ id: walletId, publicKey: address } = await createWallet(user));
    server = await world.mint(['waas.delegatedAccess.signMessage', 'waas.authenticate']);
  });

  it('arrives sealed in an event, and its credential signs', async () => {
    const { status, body, credential } = await deliver();
    expect([status, body.status]).toEqual([202, 'accepted']);
    const told = await eventsOf(test, world.environmentId, walletId);
    const delivered = told.find(({ name }) => name === 'wallet.delegation.created')!;
    const data = delivered.data as { encryptedDelegatedShare: Sealed; deliveryId: string; publicKey: string };
    expect(data).toMatchObject({ deliveryId: body.delegatedShareDeliveryId, publicKey: address });
    const opened = open(data.encryptedDelegatedShare);
    expect(opened.equals(credential)).toBe(true);
    const signed = await sign(opened);
    expect(signed.status).toBe(200);
    const { signature } = signed.body;
    expect(await recoverMessageAddress({ message: 'I agree.', signature: signature as Hex })).toBe(address);
    const used = (await eventsOf(test, world.environmentId, walletId)).find(
      ({ name }) => name === 'wallet.delegation.used',
    )!;
    expect(used.data).toMatchObject({ roomId: signed.body.roomId, kind: 'message', digest: signed.body.digest });
    const [giving, signing] = await ledger();
    expect(giving).toMatchObject({ operation: 'delegate', verdict: 'allowed', actor: { type: 'user' } });
    expect(signing).toMatchObject({ operation: 'sign', verdict: 'allowed', actor: { type: 'token' } });
  });

  it('is kept as a hash: nothing in the database signs', async () => {
    const credential = await given();
    const [row] = await rowsOf<{ kept: string; hash: Buffer }>(
      test,
      'SELECT d::text AS kept, credential_hash AS hash FROM wallet_delegations d WHERE wallet_id = $1',
      [walletId],
    );
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      expect(row!.kept).not.toContain(credential.toString(form));
    }
    expect((await sign(row!.hash)).body.code).toBe('no_delegated_access');
  });

  it('also works with an exchanged API token', async () => {
    const credential = await given();
    const { body } = await world.anonymous
      .withToken(server)
      .post<{ encodedJwts: { jwt: string } }>(world.path('/waas/authenticate'), undefined, { expect: 200 });
    expect((await sign(credential, undefined, body.encodedJwts.jwt)).status).toBe(200);
    const weak = await world.mint(['waas.authenticate']);
    const other = await world.anonymous
      .withToken(weak)
      .post<{ encodedJwts: { jwt: string } }>(world.path('/waas/authenticate'), undefined, { expect: 200 });
    expect((await sign(credential, undefined, other.body.encodedJwts.jwt)).status).toBe(403);
  });

  it('is granted with a fresh proof, by the owner of the wallet, and is useless without the credential', async () => {
    expect((await deliver({}, { proof: false })).body.code).toBe('fresh_proof_required');
    const stranger = await world.signIn(newEmail());
    expect((await deliver({}, { token: stranger.jwt })).status).toBe(404);
    expect((await sign(randomBytes(32))).body.code).toBe('no_delegated_access');
    await given();
    expect((await sign(randomBytes(32))).body.code).toBe('no_delegated_access');
    const bare = await world.anonymous.withToken(server).post<Answer>(`${delegation()}/signMessage`, { message: 'x' });
    expect([bare.status, bare.body.code]).toEqual([403, 'no_delegated_access']);
  });

  it('is useless to another project, whatever its API token may do', async () => {
    const credential = await given();
    const other = await World.create(test);
    const token = await other.mint(['waas.delegatedAccess.signMessage']);
    expect((await sign(credential, undefined, token)).status).toBe(404);
    const headers = { 'x-delegation-credential': credential.toString('base64url') };
    const call = other.anonymous.withToken(token);
    const own = other.path(`/waas/${walletId}/delegatedAccess`);
    expect((await call.post(`${own}/signMessage`, { message: 'x' }, { headers })).status).toBe(404);
    expect((await call.delete(own)).status).toBe(404);
    const revoked = await call.post<Answer>(other.path('/waas/delegatedAccess/revoke'), { walletIds: [walletId] });
    expect(revoked.body).toMatchObject({ succeeded: 0, failed: 1 });
    expect((await sign(credential, undefined, await world.mint(['environment.users.read']))).status).toBe(403);
    expect((await sign(credential)).status).toBe(200);
  });

  it('is not granted by a replayed delivery', async () => {
    const { status, replay, credential } = await deliver();
    expect(status).toBe(202);
    const again = await replay();
    expect([again.status, again.body.code]).toEqual([403, 'fresh_proof_required']);
    await world.anonymous.withToken(server).delete(delegation());
    expect((await replay()).body.code).toBe('fresh_proof_required');
    expect((await sign(credential)).body.code).toBe('no_delegated_access');
    const told = (await eventsOf(test, world.environmentId, walletId)).map(({ name }) => name);
    expect(told.filter((name) => name === 'wallet.delegation.created')).toHaveLength(1);
  });

  it('is not granted for wallets with shared keys, whose ceremonies no server can join', async () => {
    const generation = await KeyGeneration.begin('TWO_OF_TWO', 'SVM');
    const opened = await world.anonymous.post<OpenedRoom>(
      world.sdk('/waas/create'),
      { chain: 'SVM', clientKeygenIds: generation.keygenIds, thresholdSignatureScheme: 'TWO_OF_TWO' },
      { token: user.jwt, expect: 200 },
    );
    const rooms = roomsOf(world, user.jwt);
    const keep = () => Promise.resolve();
    const { walletId: id } = await createSharedWallet(rooms, world.environmentId, generation, opened.body, keep);
    const delivered = await deliver({}, { id });
    expect([delivered.status, delivered.body.code]).toEqual([422, 'no_delegated_access_to_shared_keys']);
    const signed = await sign(randomBytes(32), undefined, server, id);
    expect([signed.status, signed.body.code]).toEqual([422, 'no_delegated_access_to_shared_keys']);
    expect(await rowsOf(test, 'SELECT FROM wallet_delegations WHERE wallet_id = $1', [id])).toEqual([]);
  });

  it('is not granted for a wallet whose custodian signs for nobody: no delivery, no event', async () => {
    const credential = await given();
    await rowsOf(test, "UPDATE wallets SET version = 'external' WHERE id = $1", [walletId]);
    const before = (await eventsOf(test, world.environmentId, walletId)).length;
    const delivered = await deliver();
    expect([delivered.status, delivered.body.code]).toEqual([422, 'no_compatible_wallet_service_enabled']);
    expect((await sign(credential)).body.code).toBe('no_compatible_wallet_service_enabled');
    expect(await eventsOf(test, world.environmentId, walletId)).toHaveLength(before);
  });

  it('granted again replaces the old one', async () => {
    const first = await given();
    const second = await given();
    expect((await sign(first)).body.code).toBe('no_delegated_access');
    expect((await sign(second)).status).toBe(200);
  });

  it('granted again has its own daily cap, whatever was spent before', async () => {
    const grant = { kinds: ['evmTransaction'], ...caps(100n + FEE, 100n + FEE) };
    const first = await given({ grant });
    expect((await sign(first, transaction(100n))).status).toBe(200);
    expect((await sign(first, transaction(1n))).body.code).toBe('beyond_delegated_access');
    const second = await given({ grant });
    expect((await sign(second, transaction(100n))).status).toBe(200);
    expect((await sign(second, transaction(1n))).body.code).toBe('beyond_delegated_access');
  });

  it('is for messages unless it says more', async () => {
    const credential = await given();
    const refusal = await sign(credential, transaction(1n));
    expect([refusal.status, refusal.body.code]).toEqual([422, 'beyond_delegated_access']);
    const rows = await ledger();
    expect(rows.at(-1)).toMatchObject({ operation: 'sign', verdict: 'beyond_delegated_access' });
  });

  it('keeps to kinds, networks, addresses and both caps, by what the bytes say', async () => {
    const grant = {
      kinds: ['evmTransaction'],
      chainIds: [1],
      contracts: [SHOP],
      ...caps(100n + FEE, 250n + 3n * FEE),
    };
    const elsewhere = await given({ grant: { ...grant, chainIds: [137] } });
    expect((await sign(elsewhere, transaction(1n))).body.code).toBe('beyond_delegated_access');
    const credential = await given({ grant });
    const refused = async (body: object) => {
      const answer = await sign(credential, body);
      expect([answer.status, answer.body.code]).toEqual([422, 'beyond_delegated_access']);
    };
    await refused({ message: 'a message' });
    await refused(transaction(1n, { to: '0x00000000000000000000000000000000000000bb' }));
    await refused(transaction(101n));
    const signed = await sign(credential, transaction(100n));
    expect(signed.status).toBe(200);
    expect(parseTransaction(signed.body.signedTransaction as Hex)).toMatchObject({ value: 100n });
    expect((await sign(credential, transaction(100n))).status).toBe(200);
    await refused(transaction(51n));
    expect((await sign(credential, transaction(50n))).status).toBe(200);
    await refused(transaction(1n));
    await rowsOf(test, 'UPDATE wallet_delegations SET spent_on = spent_on - 1 WHERE wallet_id = $1', [walletId]);
    expect((await sign(credential, transaction(100n))).status).toBe(200);
  });

  it('counts the fee that the bytes allow: none empties a wallet by way of the network', async () => {
    const credential = await given({ grant: { kinds: ['evmTransaction'], ...caps(FEE, 2n * FEE) } });
    const refused = async (body: object) => {
      const answer = await sign(credential, body);
      expect([answer.status, answer.body.code]).toEqual([422, 'beyond_delegated_access']);
      return answer.body.payload!.reason;
    };
    expect(await refused(transaction(0n, { gas: 21_001n }))).toContain('fee of the network');
    expect(await refused(transaction(0n, { gas: 10n ** 18n }))).toContain('fee of the network');
    await refused(transaction(1n));
    expect((await sign(credential, transaction(0n))).status).toBe(200);
    expect((await sign(credential, transaction(0n))).status).toBe(200);
    await refused(transaction(0n, { gas: 1n }));
  });

  it('for typed data is for named contracts and networks, in the form of EIP-712', async () => {
    const grant = { kinds: ['typedData'], chainIds: [1], contracts: [SHOP] };
    const credential = await given({ grant });
    const typed = (domain: object) => ({
      kind: 'typedData',
      message: JSON.stringify({
        types: { Order: [{ name: 'amount', type: 'uint256' }] },
        primaryType: 'Order',
        domain: { chainId: 1, verifyingContract: SHOP, ...domain },
        message: { amount: '1' },
      }),
    });
    const signed = await sign(credential, typed({}));
    expect([signed.status, signed.body.code]).toEqual([200, undefined]);
    expect(
      await recoverTypedDataAddress({
        types: { Order: [{ name: 'amount', type: 'uint256' }] },
        primaryType: 'Order',
        domain: { chainId: 1, verifyingContract: SHOP },
        message: { amount: 1n },
        signature: signed.body.signature as Hex,
      }),
    ).toBe(address);
    const other = typed({ verifyingContract: '0x00000000000000000000000000000000000000bb' });
    expect((await sign(credential, other)).body.code).toBe('beyond_delegated_access');
    const elsewhere = await given({ grant: { ...grant, chainIds: [137] } });
    expect((await sign(elsewhere, typed({}))).body.code).toBe('beyond_delegated_access');
  });

  it('spends no more than the daily cap with 50 concurrent signatures', async () => {
    const grant = { kinds: ['evmTransaction'], ...caps(100n + FEE, 3n * (100n + FEE)) };
    const credential = await given({ grant });
    const answers = await Promise.all(Array.from({ length: CALLERS }, () => sign(credential, transaction(100n))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const codes = answers.flatMap(({ body }) => body.code ?? []);
    expect(codes.filter((code) => code === 'beyond_delegated_access').length).toBeGreaterThanOrEqual(SIGNATURES - 3);
    expect(codes.filter((code) => !['beyond_delegated_access', 'too_many_requests'].includes(code))).toEqual([]);
    const [{ spent }] = (await rowsOf(test, 'SELECT spent FROM wallet_delegations WHERE wallet_id = $1', [
      walletId,
    ])) as [{ spent: string }];
    expect(spent).toBe(`${3n * (100n + FEE)}`);
  });

  it('does not count what the environment’s policy refuses, nor the policy what it refuses', async () => {
    const credential = await given({ grant: { kinds: ['evmTransaction'], ...caps(100n + FEE, 5n * (100n + FEE)) } });
    const spent = async () =>
      (
        await rowsOf<{ spent: string }>(test, 'SELECT spent FROM wallet_delegations WHERE wallet_id = $1', [walletId])
      )[0]!.spent;
    const total = async () =>
      (
        await rowsOf<{ total: string }>(test, 'SELECT total FROM signing_policy_totals WHERE wallet_id = $1', [
          walletId,
        ])
      )[0]?.total;
    const policies = world.path('/waas/policies');
    const rule = (valueLimit: object) => ({
      ...{ name: 'shop', ruleType: 'allow', chain: 'EVM', addresses: [SHOP], valueLimit },
    });
    const { body: made } = await world.api.post<{ policyContent: { ruleId: string }[] }>(policies, {
      rulesToAdd: [rule({ totalLimit: '300' })],
    });
    expect((await sign(credential, transaction(1n, { to: `0x${'bb'.repeat(20)}` }))).body.code).toBe(
      'refused_by_signing_policy',
    );
    expect(await spent()).toBe('0');
    const answers = await Promise.all(Array.from({ length: 20 }, () => sign(credential, transaction(100n))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ status }) => status >= 500 || status === 409)).toEqual([]);
    expect([await spent(), await total()]).toEqual([`${3n * (100n + FEE)}`, '300']);
    const [{ ruleId }] = made.policyContent as [{ ruleId: string }];
    const rulesToUpdate = [{ ruleId, ...rule({ totalLimit: '100000' }) }];
    await world.api.put(policies, { rulesToUpdate }, { expect: 200 });
    const more = await Promise.all(Array.from({ length: 8 }, () => sign(credential, transaction(100n))));
    expect(more.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(more.filter(({ body }) => body.code === 'beyond_delegated_access')).toHaveLength(6);
    expect([await spent(), await total()]).toEqual([`${5n * (100n + FEE)}`, '500']);
  });

  it('accepts as many of 50 concurrent charges as the daily cap allows', async () => {
    await given({ grant: { kinds: ['evmTransaction'], maxPerTransaction: '100', maxPerDay: '300' } });
    const repository = test.app.get(WalletDelegationsRepository, { strict: false });
    const work = test.app.get(UnitOfWork, { strict: false });
    const { id } = (await repository.findLive(world.environmentId, walletId))!;
    const charge = { walletId, id, amount: 100n, maxPerDay: 300n };
    const taken = await Promise.all(
      Array.from({ length: CALLERS }, () => work.run((tx) => repository.charge(world.environmentId, charge, tx))),
    );
    expect(taken.filter(Boolean)).toHaveLength(3);
  });

  it('forgets nothing of a new day by a charge that began before midnight', async () => {
    const grant = { kinds: ['evmTransaction'], ...caps(100n + FEE, 100n + FEE) };
    const credential = await given({ grant });
    expect((await sign(credential, transaction(100n))).status).toBe(200);
    // As if the signature above had been charged after the midnight that the next one has not seen.
    await rowsOf(test, 'UPDATE wallet_delegations SET spent_on = spent_on + 1 WHERE wallet_id = $1', [walletId]);
    expect((await sign(credential, transaction(1n))).body.code).toBe('beyond_delegated_access');
    const repository = test.app.get(WalletDelegationsRepository, { strict: false });
    const { id } = (await repository.findLive(world.environmentId, walletId))!;
    const charge = { walletId, id, amount: 1n, maxPerDay: 100n + FEE };
    const charged = (maxPerDay: bigint) =>
      test.app
        .get(UnitOfWork, { strict: false })
        .run((tx) => repository.charge(world.environmentId, { ...charge, maxPerDay }, tx));
    expect([await charged(100n + FEE), await charged(101n + FEE), await charged(101n + FEE)]).toEqual([
      ...[false, true, false],
    ]);
  });

  it('cannot be granted in a form that would not be enforced, or to another key', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const { credentialHash: _, ...sealed } = { credentialHash: '', ...seal(randomBytes(32)) };
    for (const extra of [
      { grant: { kinds: [] } },
      { grant: { kinds: ['evmTransaction'] } },
      { grant: { kinds: ['evmTransaction'], maxPerTransaction: '1' } },
      { grant: { kinds: ['evmTransaction'], ...caps(1n, 1n), contracts: ['nobody'] } },
      { grant: { kinds: ['evmTransaction'], ...caps(1n, 1n), contracts: [] } },
      { grant: { kinds: ['message'], chainIds: [1] } },
      { grant: { kinds: ['message'], ...caps(1n, 1n) } },
      { grant: { kinds: ['typedData'] } },
      { grant: { kinds: ['typedData'], contracts: [SHOP], ...caps(1n, 1n) } },
      { expiresAt: inDays(31) },
      { expiresAt: inDays(-1) },
      { credentialHash: undefined },
      { encryptedDelegatedShare: { ...sealed, alg: 'RSA-OAEP-256' } },
      { encryptedDelegatedShare: { ...sealed, kid: 'another' } },
    ]) {
      expect((await deliver(extra)).body.code).toBe('invalid_delegated_access');
    }
    expect(await rowsOf(test, 'SELECT FROM wallet_delegations WHERE wallet_id = $1', [walletId])).toEqual([]);
  });

  it('signs no digest, in no room, and nothing that differs from its declared kind', async () => {
    const credential = await given();
    for (const body of [
      { message: 'ab'.repeat(32), isFormatted: true },
      { message: 'x', roomId: 'room' },
      { message: '{', kind: 'typedData' },
      { message: '{"__proto__":{}}', kind: 'typedData' },
      { message: 'x', kind: 'evmTransaction' },
      { message: 'x', kind: 'evmTransaction', encoding: 'hex' },
    ]) {
      expect((await sign(credential, body)).status).toBe(400);
    }
  });

  it('ends when it expires, with the wallet, with its transfer, and when the team disables it', async () => {
    const credential = await given();
    const refusal = async () => {
      expect((await sign(credential)).body.code).toBe('no_delegated_access');
    };
    await rowsOf(test, "UPDATE wallet_delegations SET expires_at = now() - interval '1 s' WHERE wallet_id = $1", [
      walletId,
    ]);
    await refusal();
    const again = await given();
    const stranger = await world.signIn(newEmail());
    await turn(false);
    expect((await sign(again)).body.code).toBe('delegated_access_off');
    await turn(true);
    await rowsOf(test, 'UPDATE wallets SET user_id = $2 WHERE id = $1', [walletId, stranger.userId]);
    expect((await sign(again)).body.code).toBe('no_delegated_access');
    await rowsOf(test, 'UPDATE wallets SET user_id = $2 WHERE id = $1', [walletId, user.userId]);
    expect((await sign(again)).status).toBe(200);
    await rowsOf(test, 'UPDATE wallets SET deleted_at = now() WHERE id = $1', [walletId]);
    expect((await sign(again)).status).toBe(404);
  });

  it('ends when its user hides the wallet, and does not come back when the team restores it', async () => {
    const credential = await given();
    const hidden = world.sdk(`/users/embeddedWallets/${walletId}/softDelete`);
    await world.anonymous.delete(hidden, { token: user.jwt, expect: 204 });
    const { userId } = user;
    await world.api.post(world.path('/wallets/recover'), { userId }, { expect: 200 });
    expect((await sign(credential)).body.code).toBe('no_delegated_access');
    const told = (await eventsOf(test, world.environmentId, walletId)).map(({ name }) => name);
    expect(told.slice(-3)).toEqual(['wallet.delegation.revoked', 'wallet.deleted', 'wallet.restored']);
    expect((await ledger()).map(({ operation }) => operation)).toEqual(['delegate', 'delegate']);
  });

  it('is off until the team turns it on', async () => {
    const off = await World.create(test);
    const person = await off.signIn(newEmail());
    const embeddedWallets = [{ embeddedWalletProvider: 'keyvaulthd', chains: ['EVM'] }];
    const path = off.sdk('/users/embeddedWallets');
    await off.anonymous.post(path, { embeddedWallets }, { token: person.jwt, expect: 201 });
    const [{ id }] = (await rowsOf<{ id: string }>(test, 'SELECT id FROM wallets WHERE user_id = $1', [
      person.userId,
    ])) as [{ id: string }];
    const answer = await off.anonymous.post<Answer>(
      off.sdk(`/waas/${id}/delegatedAccess/delivery`),
      { encryptedDelegatedShare: seal(randomBytes(32)), credentialHash: 'ab'.repeat(32) },
      { token: person.jwt, headers: await proofOf(off, person.jwt) },
    );
    expect(answer.body.code).toBe('delegated_access_off');
  });

  it('can be denied by its user, and is then not granted by mistake', async () => {
    const credential = await given();
    expect((await refuse(true)).status).toBe(200);
    expect((await sign(credential)).body.code).toBe('no_delegated_access');
    const headers = await proofOf(world, user.jwt);
    expect((await deliver({}, { headers })).body.code).toBe('delegated_access_denied');
    const { body } = await world.api.get<{ user: { wallets: { properties: object }[] } }>(
      world.path(`/users/${user.userId}`),
    );
    expect(body.user.wallets[0]!.properties).toMatchObject({ settings: { hasDeniedDelegatedAccess: true } });
    const path = world.sdk('/users');
    const own = await world.anonymous.get<{ verifiedCredentials: object[] }>(path, { token: user.jwt });
    expect(own.body.verifiedCredentials).toContainEqual(
      expect.objectContaining({
        embedded_wallet_id: walletId,
        wallet_properties: expect.objectContaining({ settings: { hasDeniedDelegatedAccess: true } }),
      }),
    );
    expect((await refuse(false)).status).toBe(200);
    expect((await sign(credential)).body.code).toBe('no_delegated_access');
    // The refusal has used no proof up, and this does.
    expect((await deliver({}, { headers })).status).toBe(202);
    expect((await deliver({}, { headers })).body.code).toBe('fresh_proof_required');
    expect((await sign(await given())).status).toBe(200);
    const names = (await eventsOf(test, world.environmentId, walletId)).map(({ name }) => name);
    expect(names.filter((name) => name === 'wallet.settings.updated')).toHaveLength(2);
    expect(names.filter((name) => name === 'wallet.delegation.revoked')).toHaveLength(1);
    const stranger = await world.signIn(newEmail());
    expect((await refuse(true, stranger.jwt)).status).toBe(404);
  });

  it('is not granted by a delivery in progress when its user denied it', async () => {
    const { status, body } = await withClient(test.databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM wallets WHERE id = $1 FOR UPDATE', [walletId]);
      const asked = deliver();
      await eventually('the delivery waits', async () => (await sessionsWaiting(test.databaseUrl)) > 0);
      await client.query('UPDATE wallets SET denies_delegation = true WHERE id = $1', [walletId]);
      await client.query('COMMIT');
      return asked;
    });
    expect([status, body.code]).toEqual([422, 'delegated_access_denied']);
    expect(await rowsOf(test, 'SELECT 1 FROM wallet_delegations WHERE wallet_id = $1', [walletId])).toEqual([]);
  });

  it('is announced to its user by mail, as is a lifted denial, in the user’s language', async () => {
    const inbox = test.app.get(DevInbox, { strict: false });
    const to = newEmail();
    user = await world.signIn(to);
    ({ id: walletId, publicKey: address } = await createWallet(user));
    const mails = () => inbox.entries.filter((one) => one.to === to && one.text.includes(address));
    const told = (count: number) => eventually(`${count} mails`, () => mails().length === count && mails()[0]!);
    await given();
    expect(await told(1)).toMatchObject({ subject: expect.stringMatching(/^A server may sign with your wallet/) });
    expect((await deliver({ credentialHash: undefined })).status).toBe(422);
    expect((await refuse(false)).status).toBe(200);
    expect((await refuse(true)).status).toBe(200);
    expect((await deliver()).status).toBe(422);
    await world.api.put(world.path(`/users/${user.userId}`), { metadata: { language: 'de-AT' } }, { expect: 200 });
    expect((await refuse(false)).status).toBe(200);
    expect((await refuse(false)).status).toBe(200);
    expect(await told(2)).toMatchObject({ subject: expect.stringMatching(/^Servern von .* kann wieder/) });
    await given();
    expect(await told(3)).toMatchObject({ subject: expect.stringMatching(/^Ein Server darf bei/) });
    expect(
      mails()
        .map(({ text }) => text)
        .join(),
    ).not.toMatch(/https?:/);
  });

  it('is dropped by the team: once, at once, and for a hundred wallets in one call', async () => {
    const credential = await given();
    const call = world.anonymous.withToken(server);
    const drops = await Promise.all(Array.from({ length: 50 }, () => call.delete(delegation())));
    expect(drops.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(49).fill(404)]);
    expect((await sign(credential)).body.code).toBe('no_delegated_access');
    const again = await given();
    const unknown = Array.from({ length: 99 }, () => crypto.randomUUID());
    const { body } = await call.post<Answer>(
      world.path('/waas/delegatedAccess/revoke'),
      { walletIds: [...unknown, walletId] },
      { expect: 200 },
    );
    expect(body).toMatchObject({ total: 100, succeeded: 1, failed: 99 });
    expect(body.results.at(-1)).toEqual({ walletId, success: true });
    expect(body.results[0]).toEqual({ walletId: unknown[0], success: false, error: 'not_found' });
    expect((await sign(again)).body.code).toBe('no_delegated_access');
    const other = await World.create(test);
    await given();
    const foreign = await other.api.post<Answer>(other.path('/waas/delegatedAccess/revoke'), { walletIds: [walletId] });
    expect(foreign.body).toMatchObject({ succeeded: 0, failed: 1 });
  });

  describe('dropped for many wallets beside the deletion of their users', () => {
    const delegated = async (chains = ['EVM', 'SOL']) => {
      const body = { identifier: newEmail(), type: 'email', chains };
      const made = await world.api.post<{ user: { id: string; wallets: { id: string }[] } }>(
        world.path('/embeddedWallets'),
        body,
        { expect: 201 },
      );
      const { id, wallets } = made.body.user;
      await rowsOf(
        test,
        `INSERT INTO wallet_delegations (environment_id, wallet_id, id, user_id, credential_hash, access, expires_at)
         SELECT $1, w, gen_random_uuid(), $2, sha256('credential'), '{}', now() + interval '1 day'
         FROM unnest($3::uuid[]) w`,
        [world.environmentId, id, wallets.map((one) => one.id)],
      );
      return { userId: id, walletIds: wallets.map((one) => one.id) };
    };
    const deletion = ({ userId }: { userId: string }) => world.api.delete<Answer>(world.path(`/users/${userId}`));

    it.each([
      ['first', [0, 1]],
      ['last', [1, 0]],
    ])('does not deadlock when the %s wallet is already locked', async (_which, [held, next]) => {
      const person = await delegated();
      const repository = test.app.get(WalletDelegationsRepository, { strict: false });
      let deleted: ReturnType<typeof deletion> | undefined;
      const ended = await test.app.get(UnitOfWork, { strict: false }).run(async (tx) => {
        const one = await repository.revoke(world.environmentId, [person.walletIds[held!]!], tx);
        deleted = deletion(person);
        await eventually('the deletion waits', async () => (await sessionsWaiting(test.databaseUrl)) > 0);
        return [...one, ...(await repository.revoke(world.environmentId, [person.walletIds[next!]!], tx))];
      });
      expect(ended).toHaveLength(2);
      expect((await deleted)?.status).toBe(204);
    });

    it.each([1, 2, 3])(
      'never ends in a conflict, with 50 concurrent calls (round %i)',
      async () => {
        const people = await Promise.all(Array.from({ length: 25 }, () => delegated()));
        const walletIds = people.flatMap((one) => one.walletIds);
        const drop = () => world.api.post<Answer>(world.path('/waas/delegatedAccess/revoke'), { walletIds });
        const [dropped, deleted] = await Promise.all([
          Promise.all(people.map(drop)),
          Promise.all(people.map((one) => deletion(one))),
        ]);
        expect(dropped.map(({ status }) => status)).toEqual(people.map(() => 200));
        expect(deleted.map(({ status }) => status)).toEqual(people.map(() => 204));
      },
      120_000,
    );
  });

  it.each<[string, () => Promise<unknown>]>([
    ['dropped', () => world.anonymous.withToken(server).delete(delegation(), { expect: 204 })],
    ['granted again', () => given()],
    ['over', () => rowsOf(test, 'UPDATE wallet_delegations SET expires_at = now() WHERE wallet_id = $1', [walletId])],
  ])('that is %s during a signature returns no signature', async (_, change) => {
    const credential = await given();
    const signer = test.app.get(WalletSigner, { strict: false });
    const make = signer.sign.bind(signer);
    const made = jest.spyOn(signer, 'sign').mockImplementationOnce(async (...asked) => {
      const signature = await make(...asked);
      await change();
      return signature;
    });
    const signed = await sign(credential);
    expect(made).toHaveBeenCalledTimes(1);
    made.mockRestore();
    expect([signed.status, signed.body.code, signed.body.signature]).toEqual([403, 'no_delegated_access', undefined]);
    const rows = (await ledger()).filter(({ operation }) => operation === 'sign');
    expect(rows).toMatchObject([{ verdict: 'no_delegated_access' }]);
  });

  it('that is dropped during signatures and deliveries signs nothing afterwards', async () => {
    const credential = await given();
    const call = world.anonymous.withToken(server);
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => sign(credential)),
      call.post<Answer>(world.path('/waas/delegatedAccess/revoke'), { walletIds: [walletId] }),
      refuse(true),
      refuse(false),
      deliver(),
    ]);
    expect(answers.filter(({ status }) => status >= 500 || status === 409)).toEqual([]);
    const signed = answers.slice(0, 20).filter(({ status }) => status === 200).length;
    const rows = (await ledger()).filter(({ operation, verdict }) => operation === 'sign' && verdict === 'allowed');
    expect(rows).toHaveLength(signed);
    await refuse(true);
    expect((await sign(credential)).body.code).toBe('no_delegated_access');
  });
});
