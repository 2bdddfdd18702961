import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { base58 } from '@scure/base';
import { recoverMessageAddress, serializeTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { joinExported, type OpenedRoom, type ShareSet } from '../../clients/custody/src/index.js';
import { signDigest } from '../../clients/custody/src/split/split-key.js';
import { SplitSigner } from '../../src/custody/split/split-signer.js';
import { UnansweredReleases } from '../../src/waas/ceremonies/unanswered-releases.job.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { newRecipient } from '../support/hpke-open.js';
import { captureLog } from '../support/log.js';
import { eventually } from '../support/receiver.js';
import { fillRows, rowsOf } from '../support/rows.js';
import { Device } from '../support/shared-wallet.js';
import { DIGEST, SplitWallets, TEXT } from '../support/split-wallets.js';
import { countStatements } from '../support/statements.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { World, type SignedIn } from '../support/world.js';

const CALLERS = 50;
/** Of which each has a tenth of them: a user has 20 rooms at most. */
const USERS = 10;

describe('what the service has of a key that a device has split', () => {
  let test: TestApp;
  let world: World;
  let split: SplitWallets;
  let evm: ShareSet;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    split = await SplitWallets.of(world);
    evm = await split.make();
  }, 120_000);
  afterAll(() => test?.close());

  /** What an export has sealed to its user. */
  async function exported({ walletId, address }: ShareSet, { jwt, userId }: SignedIn): Promise<Uint8Array> {
    const recipient = newRecipient('X25519');
    const body = { exportId: base58.encode(recipient.publicKey) };
    const opened = await split.waas(`${walletId}/privateKey/export`, body, jwt, await proofOf(world, jwt));
    expect(opened.status).toBe(200);
    const { roomId } = opened.body;
    const activity = world.sdk(`/users/embeddedWallets/${walletId}/activities/${roomId}/export`);
    const fetched = await world.anonymous.get<{ exportBundle: string }>(activity, { token: jwt, expect: 200 });
    const { enc, ciphertext } = JSON.parse(fetched.body.exportBundle) as { enc: string; ciphertext: string };
    const info = `export/v1|${world.environmentId}|${userId}|${walletId}|${roomId}`;
    const parts = [enc, ciphertext].map((one) => Buffer.from(one, 'base64url')) as [Buffer, Buffer];
    return recipient.open(...parts, Buffer.from(info), Buffer.from(address));
  }

  /** Without the client that holds answers against the document: a planted row is a failure of the service. */
  const rawOf =
    ({ jwt }: SignedIn) =>
    async (path: string, body: object): Promise<{ status: number; text: string }> => {
      const headers = { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' };
      const url = `${test.url}/api/v0${world.sdk(`/waas/${path}`)}`;
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return { status: answer.status, text: await answer.text() };
    };

  describe('is released', () => {
    it('once, to the one device that asks first, and stands in no room and no table', async () => {
      const roomId = await split.begin(evm);
      const asks = await Promise.all(Array.from({ length: CALLERS }, () => split.askForKey()));
      const answers = await Promise.all(asks.map((ask) => split.post(roomId, ask)));
      const given = answers.filter(({ status }) => status === 200);
      expect(given).toHaveLength(1);
      expect(answers.filter(({ body }) => body.code === 'room_over')).toHaveLength(CALLERS - 1);
      expect(given[0]!.body.messages[0]!.message['shares']).toHaveLength(1);
      const again = (await split.read(roomId)).body.messages.map(({ message }) => message);
      expect(again).toMatchObject([{ type: 'split.signing' }, { type: 'split.key' }, { type: 'split.shares' }]);
      expect(again[2]).not.toHaveProperty('shares');
      const shares = given[0]!.body.messages[0]!.message['shares'] as { ciphertext: string }[];
      const rows = await rowsOf<{ shares: string }>(
        test,
        `SELECT subject->>'shares' AS shares FROM key_ledger WHERE environment_id = $1 AND verdict = 'released'`,
        [world.environmentId],
      );
      const digest = createHash('sha256').update(JSON.stringify(shares)).digest('hex');
      expect(rows.filter((row) => row.shares === digest)).toHaveLength(1);
      const { ciphertext } = shares[0]!;
      for (const table of ['ceremony_messages', 'ceremony_rooms', 'key_ledger', 'events']) {
        const rows = await rowsOf<{ text: string }>(test, `SELECT t::text AS text FROM ${table} t`, []);
        expect(rows.some(({ text }) => text.includes(ciphertext))).toBe(false);
      }
    });

    it('to nobody else: neither a stranger nor another session of the user finds the room', async () => {
      const roomId = await split.begin(evm);
      const ask = await split.askForKey();
      const [stranger, elsewhere] = [await split.someone(), await world.signIn(split.owner.email)];
      for (const { jwt } of [stranger, elsewhere]) {
        expect((await split.read(roomId, jwt)).status).toBe(404);
        expect((await split.post(roomId, ask, jwt)).status).toBe(404);
      }
      expect((await split.waas(`${evm.walletId}/signMessage`, { message: TEXT }, stranger.jwt)).status).toBe(404);
      expect((await split.post(roomId, ask)).status).toBe(200);
    });

    it('not at all when a policy refuses', async () => {
      const guarded = await SplitWallets.of(await World.create(test));
      const { walletId } = await guarded.make();
      const restrictions = { blockClientSigning: true };
      const rule = { name: 'No signing', ruleType: 'deny', chain: 'EVM', operationRestrictions: restrictions };
      await guarded.world.api.post(guarded.world.path('/waas/policies'), { rulesToAdd: [rule] }, { expect: 201 });
      const refused = await guarded.waas(`${walletId}/signMessage`, { message: TEXT });
      expect(refused.body.code).toBe('refused_by_signing_policy');
      const held = "SELECT count(*)::int AS count FROM ceremony_rooms WHERE user_id = $1 AND kind = 'sign'";
      expect(await rowsOf(test, held, [guarded.owner.userId])).toEqual([{ count: 0 }]);
      const rows = `SELECT count(*)::int AS count FROM key_ledger WHERE environment_id = $1 AND verdict = 'released'`;
      expect(await rowsOf(test, rows, [guarded.world.environmentId])).toEqual([{ count: 0 }]);
    });

    it('for no signature that is refused after all, and then counts towards no limit', async () => {
      const guarded = await SplitWallets.of(await World.create(test));
      const { walletId } = await guarded.make();
      const { address: to } = evm;
      const rule = { name: 'Five', ruleType: 'allow', chain: 'EVM', addresses: [to], valueLimit: { totalLimit: '5' } };
      await guarded.world.api.post(guarded.world.path('/waas/policies'), { rulesToAdd: [rule] }, { expect: 201 });
      const [chainId, value] = [11_155_111, 5n];
      const message = serializeTransaction({ chainId, to: to as `0x${string}`, value, type: 'eip1559' });
      const asked = { message, context: { evmTransaction: { to, chainId, value: String(value) } } };
      const sign = (more: object = {}) => guarded.waas(`${walletId}/signMessage`, { ...asked, ...more });
      expect((await sign({ roomId: randomUUID() })).status).toBe(404);
      expect((await sign()).status).toBe(200);
      expect((await sign()).body.code).toBe('refused_by_signing_policy');
    });

    it('for a signature of that digest: another one is refused, and its device named', async () => {
      const roomId = await split.begin(evm);
      expect((await split.post(roomId, await split.askForKey())).status).toBe(200);
      const signature = signDigest(DIGEST, new Uint8Array(32).fill(7));
      const wrong = await split.post(roomId, { type: 'split.signature', signature });
      expect([wrong.body.code, wrong.body.payload?.party]).toEqual(['ceremony_aborted', 1]);
      expect((await split.verdictsOf(evm.walletId)).slice(-2)).toEqual(['released', 'ceremony_aborted']);
    });

    it('to a key that is one, of a wallet that is there: what is refused after it was admitted stands in the ledger', async () => {
      const roomId = await split.begin(evm);
      // A point of small order (RFC 7748 §6.1): whatever is sealed to it, everybody can open.
      const smallOrder = 'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800';
      const keygenId = base58.encode(Buffer.from(smallOrder, 'hex'));
      const wrong = await split.post(roomId, { type: 'split.key', keygenId });
      expect([wrong.body.code, wrong.body.payload?.party]).toEqual(['ceremony_aborted', 1]);
      expect((await split.ledgerOf(evm.walletId)).at(-1)).toMatchObject({
        verdict: 'ceremony_aborted',
        digest: DIGEST,
      });

      const person = await split.someone();
      const shares = await split.make('TWO_OF_TWO', person);
      const late = await split.begin(shares, { message: TEXT }, person);
      await rowsOf(test, 'UPDATE wallets SET deleted_at = now() WHERE id = $1', [shares.walletId]);
      expect((await split.post(late, await split.askForKey(), person.jwt)).status).toBe(404);
      expect((await split.ledgerOf(shares.walletId)).at(-1)).toMatchObject({ verdict: 'not_found', digest: DIGEST });
    });

    it('of a wallet that goes away before the signature comes, counts as unanswered', async () => {
      const person = await split.someone();
      const shares = await split.make('TWO_OF_TWO', person);
      const roomId = await split.begin(shares, { message: TEXT }, person);
      expect((await split.post(roomId, await split.askForKey(), person.jwt)).status).toBe(200);
      await rowsOf(test, 'UPDATE wallets SET deleted_at = now() WHERE id = $1', [shares.walletId]);
      const signature = signDigest(DIGEST, new Uint8Array(32).fill(7));
      const late = await split.post(roomId, { type: 'split.signature', signature }, person.jwt);
      expect([late.body.code, late.body.payload?.party]).toEqual(['ceremony_aborted', 1]);
      expect((await split.verdictsOf(shares.walletId)).slice(-2)).toEqual(['released', 'released_unanswered']);
    });

    it('and unanswered, stands in the ledger by a row of its own, and counts: after ten there are no more', async () => {
      const person = await split.someone();
      const shares = await split.make('TWO_OF_TWO', person);
      for (let at = 0; at < 10; at++) {
        const roomId = await split.begin(shares, { message: TEXT }, person);
        expect((await split.post(roomId, await split.askForKey(), person.jwt)).status).toBe(200);
        await rowsOf(test, `UPDATE ceremony_rooms SET expires_at = now() - interval '1 second' WHERE id = $1`, [
          roomId,
        ]);
      }
      const locked = await split.waas(`${shares.walletId}/signMessage`, { message: TEXT }, person.jwt);
      expect(locked.body.code).toBe('ceremonies_locked');
      const job = test.app.get(UnansweredReleases, { strict: false });
      await Promise.all([job.run(), job.run()]);
      // The bell of the service may have rung meanwhile.
      await eventually(
        'all ten are written down',
        async () =>
          (await split.verdictsOf(shares.walletId)).filter((verdict) => verdict === 'released_unanswered').length >= 10,
      );
      const verdicts = await split.verdictsOf(shares.walletId);
      expect(verdicts.filter((verdict) => verdict === 'released')).toHaveLength(10);
      expect(verdicts.filter((verdict) => verdict === 'released_unanswered')).toHaveLength(10);
      const still = await split.waas(`${shares.walletId}/signMessage`, { message: TEXT }, person.jwt);
      expect(still.body.code).toBe('ceremonies_locked');
    });

    it('and unanswered, is found by an index of such rooms among many others, which the service looks for all day', async () => {
      const room = await split.begin(evm);
      await fillRows(
        test,
        `INSERT INTO ceremony_rooms (environment_id, id, user_id, session_id, type, state, subject, expires_at)
         SELECT environment_id, gen_random_uuid(), user_id, session_id, type,
           CASE n % 3 WHEN 0 THEN 'done' WHEN 1 THEN 'aborted' ELSE 'running' END,
           jsonb_build_object('released', n % 3 < 2), now() - n * interval '300 ms'
         FROM ceremony_rooms, generate_series(1, 20000) n WHERE environment_id = $1 AND id = $2`,
        [world.environmentId, room],
      );
      await rowsOf(test, 'ANALYZE ceremony_rooms');
      const job = test.app.get(UnansweredReleases, { strict: false });
      const { sent } = await countStatements(() => job.run());
      const { text, values } = sent.find(({ name }) => name === 'ceremonyRooms.takeUnanswered')!;
      const plan = await rowsOf<{ 'QUERY PLAN': string }>(test, `EXPLAIN ${text}`, [...values]);
      const lines = plan.map((line) => line['QUERY PLAN']).join('\n');
      expect(lines).toContain('Index Scan using ceremony_rooms_unanswered');
      expect(lines).not.toContain('Seq Scan');
      await rowsOf(test, "DELETE FROM ceremony_rooms WHERE state <> 'open' AND kind IS NULL");
    });

    it(`for ${CALLERS} ceremonies at once, each to its own`, async () => {
      const pairs: { person: SignedIn; shares: ShareSet }[] = [];
      for (let at = 0; at < USERS; at++) {
        const person = await split.someone();
        pairs.push({ person, shares: await split.make('TWO_OF_TWO', person) });
      }
      await Promise.all(
        Array.from({ length: CALLERS }, async (_, at) => {
          const { person, shares } = pairs[at % USERS]!;
          const signed = await split.sign(shares, person);
          expect(await recoverMessageAddress({ message: TEXT, signature: signed.signature })).toBe(shares.address);
        }),
      );
    }, 180_000);
  });

  it('leaves by an export with its proof: the shares of the service, which give the key on the device', async () => {
    const request = { exportId: base58.encode(newRecipient('X25519').publicKey) };
    const refused = await split.waas(`${evm.walletId}/privateKey/export`, request);
    expect(refused.body.code).toBe('fresh_proof_required');
    const key = joinExported(evm, await exported(evm, split.owner));
    expect(privateKeyToAccount(`0x${Buffer.from(key).toString('hex')}`).address).toBe(evm.address);
    expect((await split.ledgerOf(evm.walletId)).at(-1)).toMatchObject({ operation: 'export', verdict: 'allowed' });
  });

  it('leaves by an export as it is then, though shares were made anew while it was sealed', async () => {
    const person = await split.someone();
    const first = await split.make('TWO_OF_TWO', person);
    const signer = test.app.get(SplitSigner, { strict: false });
    const sealed = signer.export.bind(signer);
    let anew = first;
    const exporting = jest.spyOn(signer, 'export').mockImplementationOnce(async (...asked) => {
      const message = await sealed(...asked);
      anew = await new Device(world, person.jwt).renew(first);
      return message;
    });
    const plaintext = await exported(first, person);
    exporting.mockRestore();
    const key = joinExported(anew, plaintext);
    expect(privateKeyToAccount(`0x${Buffer.from(key).toString('hex')}`).address).toBe(first.address);
    const exports = (await split.ledgerOf(first.walletId)).filter(({ operation }) => operation === 'export');
    expect(exports).toHaveLength(1);
  });

  it('is released for what its room was admitted for, whatever the database says of the room since', async () => {
    const person = await split.someone();
    const { walletId } = await split.make('TWO_OF_TWO', person);
    const { roomId } = (await split.waas(`${walletId}/signMessage`, { message: TEXT }, person.jwt)).body;
    const planted = { kind: 'message', message: Buffer.from('I owe you everything.').toString('base64') };
    await rowsOf(test, "UPDATE ceremony_rooms SET subject = jsonb_set(subject, '{request}', $2::jsonb) WHERE id = $1", [
      roomId,
      JSON.stringify(planted),
    ]);
    const log = captureLog();
    try {
      const answer = await rawOf(person)(`rooms/${roomId}/messages`, { message: await split.askForKey() });
      expect([answer.status, answer.text.includes('ciphertext')]).toEqual([500, false]);
    } finally {
      log.stop();
    }
    expect(await split.verdictsOf(walletId)).not.toContain('released');
  });

  it('is released in no disguise: a shared key that the database calls split stays where it is, and the other way', async () => {
    const person = await split.someone();
    const device = new Device(world, person.jwt);
    const taproot = await device.create('TWO_OF_TWO', 'BTC');
    const dealt = await split.make('TWO_OF_TWO', person);
    const disguise = (walletId: string, is: { version: string; chain: string; protocol: string }) =>
      rowsOf(
        test,
        `WITH named AS (UPDATE wallets SET version = $2, chain = $3 WHERE id = $1 RETURNING seed_id)
         UPDATE key_share_sets k SET protocol = $4 FROM named WHERE k.id = named.seed_id RETURNING k.id`,
        [walletId, is.version, is.chain, is.protocol],
      );
    const raw = rawOf(person);
    const log = captureLog();
    try {
      const [asSplit] = await disguise(taproot.walletId, { version: 'V2', chain: 'EVM', protocol: 'SHAMIR' });
      expect(asSplit).toBeDefined();
      const opened = await raw(`${taproot.walletId}/signMessage`, { message: TEXT });
      expect(opened.status).toBe(200);
      const { roomId } = JSON.parse(opened.text) as OpenedRoom;
      const answer = await raw(`rooms/${roomId}/messages`, { message: await split.askForKey() });
      expect([answer.status, answer.text.includes('ciphertext')]).toEqual([500, false]);
      expect(await split.verdictsOf(taproot.walletId)).not.toContain('released');
      expect((await raw(`${taproot.walletId}/refresh`, {})).status).toBe(500);

      await disguise(dealt.walletId, { version: 'V3', chain: 'SOL', protocol: 'FROST' });
      expect((await raw(`${dealt.walletId}/signMessage`, { message: TEXT })).status).toBe(500);
      expect((await raw(`${dealt.walletId}/refresh`, {})).status).toBe(500);
    } finally {
      log.stop();
    }
    await disguise(dealt.walletId, { version: 'V2', chain: 'EVM', protocol: 'SHAMIR' });
    const signed = await split.sign(dealt, person);
    expect(await recoverMessageAddress({ message: TEXT, signature: signed.signature })).toBe(dealt.address);
  });
});
