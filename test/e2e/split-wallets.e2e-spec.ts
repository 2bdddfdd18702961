import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { base58 } from '@scure/base';
import {
  parseGwei,
  parseTransaction,
  recoverMessageAddress,
  recoverTypedDataAddress,
  serializeTransaction,
  type Hex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import {
  createSplitWallet,
  joinExported,
  sealBackup,
  openBackup,
  signSplit,
  SplitGeneration,
  type OpenedRoom,
  type OpenedSplit,
  type Rooms,
  type ShareSet,
} from '../../clients/custody/src/index.js';
import { messageDigest, signDigest } from '../../clients/custody/src/split/split-key.js';
import { newReceiver } from '../../clients/custody/src/sealing.js';
import { splitAccount } from '../../clients/custody/src/split/viem.js';
import { UnansweredReleases } from '../../src/waas/ceremonies/unanswered-releases.job.js';
import { Anvil } from '../support/anvil.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { addNetwork } from '../support/chain-tenant.js';
import { newRecipient } from '../support/hpke-open.js';
import { captureLog } from '../support/log.js';
import { eventually } from '../support/receiver.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { Device, roomsOf } from '../support/shared-wallet.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

type Scheme = 'TWO_OF_TWO' | 'TWO_OF_THREE' | 'THREE_OF_FIVE';
interface Answer {
  roomId: string;
  serverKeygenIds: string[];
  walletId: string;
  state: string;
  code?: string;
  payload?: { reason?: string; party?: number; state?: string };
  messages: { sequence: number; sender: string; message: Record<string, unknown> }[];
}

const TEXT = 'I agree.';
const DIGEST = messageDigest(Buffer.from(TEXT));
const CALLERS = 50;
/** Of which each has a tenth of them: a user has 20 rooms at most. */
const USERS = 10;

describe('a wallet whose key its device splits', () => {
  let test: TestApp;
  let world: World;
  let owner: SignedIn;
  let evm: ShareSet;
  let anvil: Anvil;

  const waas = (path: string, body: object, token = owner.jwt, headers?: Record<string, string>) =>
    world.anonymous.post<Answer>(world.sdk(`/waas/${path}`), body, { token, headers });
  const read = (roomId: string, token = owner.jwt) =>
    world.anonymous.get<Answer>(world.sdk(`/waas/rooms/${roomId}/messages`), { token });
  const post = (roomId: string, message: object, token = owner.jwt) =>
    waas(`rooms/${roomId}/messages`, { message }, token);
  const openKeygen = async (scheme: Scheme = 'TWO_OF_TWO', person = owner) => {
    const generation = await SplitGeneration.begin(scheme);
    const request = { chain: 'EVM', clientKeygenIds: generation.keygenIds, thresholdSignatureScheme: scheme };
    const { status, body } = await waas('create', request, person.jwt);
    expect([status, body.code]).toEqual([200, undefined]);
    return { generation, opened: body as OpenedSplit };
  };
  const make = async (scheme: Scheme = 'TWO_OF_TWO', person = owner): Promise<ShareSet> => {
    const { generation, opened } = await openKeygen(scheme, person);
    const rooms = roomsOf(world, person.jwt);
    return createSplitWallet(rooms, world.environmentId, generation, opened, () => Promise.resolve());
  };
  const begin = async (shares: ShareSet, body: object = { message: TEXT }, person = owner): Promise<string> => {
    const { status, body: opened } = await waas(`${shares.walletId}/signMessage`, body, person.jwt);
    expect([status, opened.code]).toEqual([200, undefined]);
    return opened.roomId;
  };
  const askForKey = async () => ({ type: 'split.key', keygenId: (await newReceiver()).keygenId });
  const accountOf = (shares: ShareSet, rooms: Rooms = roomsOf(world, owner.jwt)) =>
    splitAccount(
      {
        rooms,
        environmentId: world.environmentId,
        openSigning: async (walletId, request): Promise<OpenedRoom> => {
          const { status, body } = await waas(`${walletId}/signMessage`, request);
          expect([status, body.code]).toEqual([200, undefined]);
          return body;
        },
      },
      shares,
    );
  const ledgerOf = (walletId: string) =>
    rowsOf<{ operation: string; verdict: string; digest: Buffer | null; subject: Record<string, unknown> }>(
      test,
      `SELECT operation, verdict, digest, subject FROM key_ledger
       WHERE environment_id = $1 AND subject->>'walletId' = $2 ORDER BY sequence`,
      [world.environmentId, walletId],
    );
  const verdictsOf = async (walletId: string) => (await ledgerOf(walletId)).map(({ verdict }) => verdict);
  const someone = (): Promise<SignedIn> => world.signIn(newEmail());

  beforeAll(async () => {
    [test, anvil] = await Promise.all([startTestApp(), Anvil.start()]);
    world = await World.create(test);
    await addNetwork(world, 'EVM', 31_337, anvil.url);
    owner = await someone();
    evm = await make();
  }, 120_000);
  afterAll(async () => {
    await test.close();
    await anvil.close();
  });

  it.each(['TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE'] as const)(
    'is made by %s, shown with its version, and signs with one device',
    async (scheme) => {
      const shares = await make(scheme);
      const detail = await world.api.get<{ wallet: Record<string, unknown> }>(world.path(`/waas/${shares.walletId}`));
      expect(detail.body.wallet).toMatchObject({ thresholdSignatureScheme: scheme, chainName: 'EVM' });
      const { body } = await world.api.get<{ user: { wallets: { id: string; properties: object }[] } }>(
        world.path(`/users/${owner.userId}`),
      );
      const shown = body.user.wallets.find(({ id }) => id === shares.walletId);
      expect(shown).toMatchObject({ chain: 'EVM', publicKey: shares.address, properties: { version: 'V2' } });
      const one = { ...shares, secrets: shares.secrets.slice(0, 1) };
      const signed = await signSplit(roomsOf(world, owner.jwt), world.environmentId, one, DIGEST, await begin(one));
      const signer = await recoverMessageAddress({ message: TEXT, signature: signed.signature });
      expect(signer).toBe(shares.address);
      expect(await ledgerOf(shares.walletId)).toMatchObject([
        { operation: 'create', verdict: 'allowed', subject: { protocol: 'SHAMIR', scheme } },
        { operation: 'sign', verdict: 'released', digest: Buffer.from(DIGEST) },
        { operation: 'sign', verdict: 'allowed', digest: Buffer.from(DIGEST) },
      ]);
      const events = (await eventsOf(test, world.environmentId, shares.walletId)).map(({ name }) => name);
      expect(events).toEqual(expect.arrayContaining(['wallet.created', 'wallet.signed']));
    },
  );

  it('signs messages, typed data and transactions as an account of viem, and anvil runs them', async () => {
    const account = accountOf(evm);
    const raw = '0x00ff' as const;
    const signature = await account.signMessage({ message: { raw } });
    expect(await recoverMessageAddress({ message: { raw }, signature })).toBe(evm.address);
    const typed = {
      types: { Mail: [{ name: 'amount', type: 'uint256' }] },
      primaryType: 'Mail',
      domain: { name: 'Post', chainId: 31_337 },
      message: { amount: 10n ** 30n },
    } as const;
    const sealed = await account.signTypedData(typed);
    expect(await recoverTypedDataAddress({ ...typed, signature: sealed })).toBe(evm.address);
    await anvil.setBalance(evm.address as Hex, 10n ** 18n);
    const to = privateKeyToAccount(`0x${'07'.repeat(32)}`).address;
    const serializedTransaction = await account.signTransaction({
      ...{ type: 'eip1559', chainId: 31_337, to, value: 5n, nonce: 0, gas: 21_000n },
      ...{ maxFeePerGas: parseGwei('20'), maxPriorityFeePerGas: 1n },
    });
    const hash = await anvil.client.sendRawTransaction({ serializedTransaction });
    const receipt = await anvil.client.waitForTransactionReceipt({ hash });
    expect([receipt.status, receipt.from]).toEqual(['success', evm.address.toLowerCase()]);
  });

  it('signs nothing that is another thing than what it is said to be', async () => {
    const to = privateKeyToAccount(`0x${'07'.repeat(32)}`).address;
    const message = serializeTransaction({ type: 'eip1559', chainId: 31_337, to, value: 5n });
    expect(parseTransaction(message).value).toBe(5n);
    const types = { Mail: [{ name: 'amount', type: 'uint256' }] };
    const typed = { types, primaryType: 'Mail', domain: { name: 'Post', chainId: 31_337 }, message: { amount: '1' } };
    for (const body of [
      { message, context: { evmTransaction: { to, chainId: 31_337, value: '6' } } },
      { message, context: { evmTransaction: { to: evm.address, chainId: 31_337 } } },
      { message, context: { evmTransaction: { to, chainId: 1 } } },
      { message: TEXT, context: { evmMessage: 'I do not.' } },
      { message: TEXT, context: { svmMessage: TEXT } },
      { message: `0x${'00'.repeat(32)}`, context: { evmTypedData: typed } },
    ]) {
      expect((await waas(`${evm.walletId}/signMessage`, body)).status).toBe(400);
    }
    const garbage = { message: '0x02ff', context: { evmTransaction: { to, chainId: 31_337 } } };
    expect((await waas(`${evm.walletId}/signMessage`, garbage)).body.code).toBe('unsignable_request');
  });

  it('names the share or commitment that was tampered with when it is made, and is not made', async () => {
    const person = await someone();
    const deal = async () => {
      const { generation, opened } = await openKeygen('THREE_OF_FIVE', person);
      const room = { environmentId: world.environmentId, roomId: opened.roomId };
      const { message } = await generation.deal(room, opened);
      return { roomId: opened.roomId, message: message as Record<string, never> };
    };
    const [one, two] = [await deal(), await deal()];
    const { shares, commitments } = one.message as unknown as { shares: object[]; commitments: string[] };
    const foreign = two.message as unknown as { shares: object[]; commitments: string[] };
    const swapped = await post(one.roomId, { ...one.message, shares: [shares[0], foreign.shares[1]] }, person.jwt);
    expect([swapped.body.code, swapped.body.payload?.party]).toEqual(['ceremony_aborted', 5]);
    const replaced = { ...foreign, commitments: [foreign.commitments[0], ...commitments.slice(1)] };
    const refused = await post(two.roomId, replaced, person.jwt);
    expect([refused.body.code, refused.body.payload?.reason]).toEqual([
      'ceremony_aborted',
      'the signature is not one of the key that was dealt',
    ]);
    const count = 'SELECT count(*)::int AS count FROM key_share_sets WHERE user_id = $1';
    expect(await rowsOf(test, count, [person.userId])).toEqual([{ count: 0 }]);
  });

  describe('is released', () => {
    it('once, to the one device that asks first, and stands in no room and no table', async () => {
      const roomId = await begin(evm);
      const asks = await Promise.all(Array.from({ length: CALLERS }, askForKey));
      const answers = await Promise.all(asks.map((ask) => post(roomId, ask)));
      const given = answers.filter(({ status }) => status === 200);
      expect(given).toHaveLength(1);
      expect(answers.filter(({ body }) => body.code === 'room_over')).toHaveLength(CALLERS - 1);
      expect(given[0]!.body.messages[0]!.message['shares']).toHaveLength(1);
      const again = (await read(roomId)).body.messages.map(({ message }) => message);
      expect(again).toMatchObject([{ type: 'split.signing' }, { type: 'split.key' }, { type: 'split.shares' }]);
      expect(again[2]).not.toHaveProperty('shares');
      const { ciphertext } = (given[0]!.body.messages[0]!.message['shares'] as { ciphertext: string }[])[0]!;
      for (const table of ['ceremony_messages', 'ceremony_rooms', 'key_ledger', 'events']) {
        const rows = await rowsOf<{ text: string }>(test, `SELECT t::text AS text FROM ${table} t`, []);
        expect(rows.some(({ text }) => text.includes(ciphertext))).toBe(false);
      }
    });

    it('to nobody else: neither a stranger nor another session of the user finds the room', async () => {
      const roomId = await begin(evm);
      const ask = await askForKey();
      const [stranger, elsewhere] = [await someone(), await world.signIn(owner.email)];
      for (const { jwt } of [stranger, elsewhere]) {
        expect((await read(roomId, jwt)).status).toBe(404);
        expect((await post(roomId, ask, jwt)).status).toBe(404);
      }
      expect((await waas(`${evm.walletId}/signMessage`, { message: TEXT }, stranger.jwt)).status).toBe(404);
      expect((await post(roomId, ask)).status).toBe(200);
    });

    it('not at all when a policy refuses', async () => {
      const guarded = await World.create(test);
      const person = await guarded.signIn(newEmail());
      const at = (path: string) => guarded.sdk(`/waas/${path}`);
      const options = { token: person.jwt };
      const generation = await SplitGeneration.begin('TWO_OF_TWO');
      const request = { chain: 'EVM', clientKeygenIds: generation.keygenIds };
      const opened = (await guarded.anonymous.post<OpenedSplit>(at('create'), request, options)).body;
      const rooms = roomsOf(guarded, person.jwt);
      const shares = await createSplitWallet(rooms, guarded.environmentId, generation, opened, async () => {});
      const sign = () =>
        guarded.anonymous.post<Answer>(at(`${shares.walletId}/signMessage`), { message: TEXT }, options);
      const restrictions = { blockClientSigning: true };
      const rule = { name: 'No signing', ruleType: 'deny', chain: 'EVM', operationRestrictions: restrictions };
      await guarded.api.post(guarded.path('/waas/policies'), { rulesToAdd: [rule] }, { expect: 201 });
      expect((await sign()).body.code).toBe('refused_by_signing_policy');
      const held = "SELECT count(*)::int AS count FROM ceremony_rooms WHERE user_id = $1 AND kind = 'sign'";
      expect(await rowsOf(test, held, [person.userId])).toEqual([{ count: 0 }]);
      const rows = `SELECT count(*)::int AS count FROM key_ledger WHERE environment_id = $1 AND verdict = 'released'`;
      expect(await rowsOf(test, rows, [guarded.environmentId])).toEqual([{ count: 0 }]);
    });

    it('for a signature of that digest: another one is refused, and its device named', async () => {
      const roomId = await begin(evm);
      expect((await post(roomId, await askForKey())).status).toBe(200);
      const signature = signDigest(DIGEST, new Uint8Array(32).fill(7));
      const wrong = await post(roomId, { type: 'split.signature', signature });
      expect([wrong.body.code, wrong.body.payload?.party]).toEqual(['ceremony_aborted', 1]);
      expect((await verdictsOf(evm.walletId)).slice(-2)).toEqual(['released', 'ceremony_aborted']);
    });

    it('of a wallet that goes away before the signature comes, counts as unanswered', async () => {
      const person = await someone();
      const shares = await make('TWO_OF_TWO', person);
      const roomId = await begin(shares, { message: TEXT }, person);
      expect((await post(roomId, await askForKey(), person.jwt)).status).toBe(200);
      await rowsOf(test, 'UPDATE wallets SET deleted_at = now() WHERE id = $1', [shares.walletId]);
      const signature = signDigest(DIGEST, new Uint8Array(32).fill(7));
      const late = await post(roomId, { type: 'split.signature', signature }, person.jwt);
      expect([late.body.code, late.body.payload?.party]).toEqual(['ceremony_aborted', 1]);
      expect((await verdictsOf(shares.walletId)).slice(-2)).toEqual(['released', 'released_unanswered']);
    });

    it('and unanswered, stands in the ledger by a row of its own, and counts: after ten there are no more', async () => {
      const person = await someone();
      const shares = await make('TWO_OF_TWO', person);
      for (let at = 0; at < 10; at++) {
        const roomId = await begin(shares, { message: TEXT }, person);
        expect((await post(roomId, await askForKey(), person.jwt)).status).toBe(200);
        await rowsOf(test, `UPDATE ceremony_rooms SET expires_at = now() - interval '1 second' WHERE id = $1`, [
          roomId,
        ]);
      }
      const locked = await waas(`${shares.walletId}/signMessage`, { message: TEXT }, person.jwt);
      expect(locked.body.code).toBe('ceremonies_locked');
      const job = test.app.get(UnansweredReleases, { strict: false });
      await Promise.all([job.run(), job.run()]);
      // The bell of the service may have rung meanwhile.
      await eventually(
        'all ten are written down',
        async () =>
          (await verdictsOf(shares.walletId)).filter((verdict) => verdict === 'released_unanswered').length >= 10,
      );
      const verdicts = await verdictsOf(shares.walletId);
      expect(verdicts.filter((verdict) => verdict === 'released')).toHaveLength(10);
      expect(verdicts.filter((verdict) => verdict === 'released_unanswered')).toHaveLength(10);
      const still = await waas(`${shares.walletId}/signMessage`, { message: TEXT }, person.jwt);
      expect(still.body.code).toBe('ceremonies_locked');
    });

    it(`for ${CALLERS} ceremonies at once, each to its own`, async () => {
      const pairs: { person: SignedIn; shares: ShareSet }[] = [];
      for (let at = 0; at < USERS; at++) {
        const person = await someone();
        pairs.push({ person, shares: await make('TWO_OF_TWO', person) });
      }
      await Promise.all(
        Array.from({ length: CALLERS }, async (_, at) => {
          const { person, shares } = pairs[at % USERS]!;
          const roomId = await begin(shares, { message: TEXT }, person);
          const signed = await signSplit(roomsOf(world, person.jwt), world.environmentId, shares, DIGEST, roomId);
          expect(await recoverMessageAddress({ message: TEXT, signature: signed.signature })).toBe(shares.address);
        }),
      );
    }, 180_000);
  });

  it('leaves by an export with its proof: the shares of the service, which give the key on the device', async () => {
    const recipient = newRecipient('X25519');
    const body = { exportId: base58.encode(recipient.publicKey) };
    const path = `${evm.walletId}/privateKey/export`;
    expect((await waas(path, body)).body.code).toBe('fresh_proof_required');
    const opened = await waas(path, body, owner.jwt, await proofOf(world, owner.jwt));
    expect(opened.status).toBe(200);
    const activity = world.sdk(`/users/embeddedWallets/${evm.walletId}/activities/${opened.body.roomId}/export`);
    const fetched = await world.anonymous.get<{ exportBundle: string }>(activity, { token: owner.jwt, expect: 200 });
    const { enc, ciphertext } = JSON.parse(fetched.body.exportBundle) as { enc: string; ciphertext: string };
    const info = `export/v1|${world.environmentId}|${owner.userId}|${evm.walletId}|${opened.body.roomId}`;
    const parts = [enc, ciphertext].map((one) => Buffer.from(one, 'base64url')) as [Buffer, Buffer];
    const plaintext = recipient.open(...parts, Buffer.from(info), Buffer.from(evm.address));
    const key = joinExported(evm, plaintext);
    expect(privateKeyToAccount(`0x${Buffer.from(key).toString('hex')}`).address).toBe(evm.address);
    expect((await ledgerOf(evm.walletId)).at(-1)).toMatchObject({ operation: 'export', verdict: 'allowed' });
  });

  it('comes back from a backup that the service keeps, and signs', async () => {
    const person = await someone();
    const shares = await make('TWO_OF_TWO', person);
    const lock = { secret: new Uint8Array(32).fill(3) };
    const encryptedAccountCredentials = [await sealBackup(shares, lock)];
    const backup = { encryptedAccountCredentials, passwordEncrypted: false };
    expect((await waas(`${shares.walletId}/keyShares/backup`, backup, person.jwt)).status).toBeLessThan(300);
    const back = await openBackup(encryptedAccountCredentials[0]!, lock);
    const roomId = await begin(back, { message: TEXT }, person);
    const signed = await signSplit(roomsOf(world, person.jwt), world.environmentId, back, DIGEST, roomId);
    expect(await recoverMessageAddress({ message: TEXT, signature: signed.signature })).toBe(shares.address);
  });

  it('has a second lock for copies that are kept elsewhere, and no passcode', async () => {
    const person = await someone();
    const { walletId } = await make('TWO_OF_TWO', person);
    const read = (path: 'backup' | 'passcode', query = '') =>
      world.anonymous.get<Answer & { secret: string }>(world.sdk(`/users/embeddedWallets/${path}${query}`), {
        token: person.jwt,
      });
    const { status, body } = await read('backup');
    expect([status, body.walletId]).toEqual([200, walletId]);
    expect((await read('backup', `?walletId=${walletId}`)).body.secret).toBe(body.secret);
    expect((await read('passcode', `?walletId=${walletId}`)).body.code).toBe('wallet_passcode_missing');
    const asked = (await ledgerOf(walletId)).filter(({ operation }) => operation === 'recover');
    expect(asked.map(({ subject }) => subject['protocol'])).toEqual(['SHAMIR', 'SHAMIR']);
  });

  it('has its shares made anew by this scheme and by others with one address, and no older share leaves', async () => {
    const person = await someone();
    const device = new Device(world, person.jwt);
    const signs = async (shares: ShareSet): Promise<string> => {
      const rooms = roomsOf(world, person.jwt);
      const roomId = await begin(shares, { message: TEXT }, person);
      const { signature } = await signSplit(rooms, world.environmentId, shares, DIGEST, roomId);
      return recoverMessageAddress({ message: TEXT, signature });
    };
    const first = await make('TWO_OF_TWO', person);
    const waiting = await begin(first, { message: TEXT }, person);
    await rowsOf(test, "UPDATE ceremony_rooms SET expires_at = now() + interval '1 hour' WHERE id = $1", [waiting]);
    const sets = [first];
    for (const scheme of [undefined, 'TWO_OF_THREE', 'TWO_OF_TWO'] as const) {
      const old = sets.at(-1)!;
      const anew = await device.renew(old, scheme);
      expect([anew.address, anew.generation]).toEqual([first.address, sets.length + 1]);
      expect(await signs(anew)).toBe(first.address);
      await expect(signs(old)).rejects.toMatchObject({ name: 'OtherGeneration' });
      sets.push(anew);
    }
    const late = await post(waiting, await askForKey(), person.jwt);
    expect([late.status, late.body.code, late.body.messages]).toEqual([409, 'key_shares_changed', undefined]);
    const told = (await ledgerOf(first.walletId)).filter(({ operation }) => /^re(fresh|share)$/.test(operation));
    expect(told.map(({ operation, subject }) => [operation, subject['protocol'], subject['generation']])).toEqual([
      ['refresh', 'SHAMIR', 2],
      ['reshare', 'SHAMIR', 3],
      ['reshare', 'SHAMIR', 4],
    ]);
    const kept = 'SELECT protocol, generation FROM key_share_sets WHERE user_id = $1';
    expect(await rowsOf(test, kept, [person.userId])).toEqual([{ protocol: 'SHAMIR', generation: 4 }]);
    const events = (await eventsOf(test, world.environmentId, first.walletId)).map(({ name }) => name);
    expect(events.filter((name) => name === 'wallet.reshared')).toHaveLength(3);
    expect(events).toContain('wallet.keyReleased');
  });

  it('asks for a proof before its scheme gives the user enough shares for the whole key', async () => {
    const { keygenIds: clientKeygenIds } = await SplitGeneration.begin('TWO_OF_THREE');
    const schemes = { oldThresholdSignatureScheme: 'TWO_OF_TWO', newThresholdSignatureScheme: 'TWO_OF_THREE' };
    const reshared = await waas(`${evm.walletId}/reshare`, { clientKeygenIds, ...schemes });
    expect([reshared.status, reshared.body.code]).toEqual([403, 'fresh_proof_required']);
  });

  it('is released in no disguise: a shared key that the database calls split stays where it is, and the other way', async () => {
    const person = await someone();
    const device = new Device(world, person.jwt);
    const taproot = await device.create('TWO_OF_TWO', 'BTC');
    const split = await make('TWO_OF_TWO', person);
    const disguise = (walletId: string, is: { version: string; chain: string; protocol: string }) =>
      rowsOf(
        test,
        `WITH named AS (UPDATE wallets SET version = $2, chain = $3 WHERE id = $1 RETURNING seed_id)
         UPDATE key_share_sets k SET protocol = $4 FROM named WHERE k.id = named.seed_id RETURNING k.id`,
        [walletId, is.version, is.chain, is.protocol],
      );
    /** Without the client that holds answers against the document: a planted row is a failure of the service. */
    const raw = async (path: string, body: object): Promise<{ status: number; text: string }> => {
      const headers = { authorization: `Bearer ${person.jwt}`, 'content-type': 'application/json' };
      const url = `${test.url}/api/v0${world.sdk(`/waas/${path}`)}`;
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: answer.status, text: await answer.text() };
    };
    const log = captureLog();
    try {
      const [asSplit] = await disguise(taproot.walletId, { version: 'V2', chain: 'EVM', protocol: 'SHAMIR' });
      expect(asSplit).toBeDefined();
      const opened = await raw(`${taproot.walletId}/signMessage`, { message: TEXT });
      expect(opened.status).toBe(200);
      const { roomId } = JSON.parse(opened.text) as OpenedRoom;
      const answer = await raw(`rooms/${roomId}/messages`, { message: await askForKey() });
      expect([answer.status, answer.text.includes('ciphertext')]).toEqual([500, false]);
      expect(await verdictsOf(taproot.walletId)).not.toContain('released');
      expect((await raw(`${taproot.walletId}/refresh`, {})).status).toBe(500);

      await disguise(split.walletId, { version: 'V3', chain: 'SOL', protocol: 'FROST' });
      expect((await raw(`${split.walletId}/signMessage`, { message: TEXT })).status).toBe(500);
      expect((await raw(`${split.walletId}/refresh`, {})).status).toBe(500);
    } finally {
      log.stop();
    }
    await disguise(split.walletId, { version: 'V2', chain: 'EVM', protocol: 'SHAMIR' });
    const roomId = await begin(split, { message: TEXT }, person);
    const signed = await signSplit(roomsOf(world, person.jwt), world.environmentId, split, DIGEST, roomId);
    expect(await recoverMessageAddress({ message: TEXT, signature: signed.signature })).toBe(split.address);
  });

  it('keeps no share in the clear, and loses the service’s with the wallet', async () => {
    for (const table of ['key_share_sets', 'ceremony_rooms', 'ceremony_messages', 'key_ledger', 'events']) {
      const rows = await rowsOf<{ text: string }>(test, `SELECT t::text AS text FROM ${table} t`, []);
      for (const { share } of evm.secrets) expect(rows.some(({ text }) => text.includes(share))).toBe(false);
    }
    const person = await someone();
    const shares = await make('TWO_OF_TWO', person);
    const roomId = await begin(shares, { message: TEXT }, person);
    await world.api.delete(world.path(`/users/${person.userId}`), { expect: 204 });
    expect((await post(roomId, await askForKey(), person.jwt)).status).toBeGreaterThanOrEqual(400);
    const count = 'SELECT count(*)::int AS count FROM key_share_sets WHERE user_id = $1';
    expect(await rowsOf(test, count, [person.userId])).toEqual([{ count: 0 }]);
  });
});
