import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { base58 } from '@scure/base';
import { OtherGeneration, Resharing, signingShares, type ShareSet } from '../../clients/custody/src/index.js';
import { ed25519Verify } from '../../src/custody/derivation/ed25519-key.js';
import { KeyShareSetsRepository, type NewShares } from '../../src/custody/threshold/key-share-sets.repository.js';
import { UnitOfWork } from '../../src/database/index.js';
import { DevInbox } from '../../src/providers/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { withClient } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { allowSecondFactors, steadyDevice } from '../support/second-factor.js';
import { Device, type Scheme } from '../support/shared-wallet.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { newEmail, World, type SignedIn } from '../support/world.js';

interface Refusal {
  code?: string;
  payload?: { reason?: string; party?: number; scheme?: string; state?: string };
}

type Sent = {
  keygenIds: string[];
  packages: { id: number; commitment: string[] }[];
  shares: { ciphertext: string }[];
};

const TEXT = 'I agree.';
const CALLERS = 50;
/** Of which each has five of them. */
const ROOMS = 10;

describe('the shares of a wallet that are made anew', () => {
  let test: TestApp;
  let world: World;
  let owner: SignedIn;
  let device: Device;

  const call = (path: string, body: object | undefined, token = owner.jwt) =>
    world.anonymous.post<Refusal & { roomId: string }>(world.sdk(`/waas/${path}`), body, { token });
  const post = (roomId: string, message: object, token = owner.jwt) =>
    call(`rooms/${roomId}/messages`, { message }, token);
  const verifies = (shares: ShareSet, signature: Uint8Array): boolean =>
    ed25519Verify(Buffer.from(TEXT), Buffer.from(base58.decode(shares.address)), Buffer.from(signature));
  const schemeOf = async (walletId: string): Promise<{ thresholdSignatureScheme: string; accountAddress: string }> => {
    const path = world.path(`/waas/${walletId}`);
    return (await world.api.get<{ wallet: { thresholdSignatureScheme: string; accountAddress: string } }>(path)).body
      .wallet;
  };
  /** What its owner is told of a wallet. */
  const propertiesOf = async (address: string) => {
    type Credential = { address?: string; wallet_properties?: object };
    const path = world.sdk('/users');
    const { body } = await world.anonymous.get<{ verifiedCredentials: Credential[] }>(path, { token: owner.jwt });
    return body.verifiedCredentials.find((one) => one.address === address)?.wallet_properties;
  };
  const setOf = async (walletId: string) => {
    const [set] = await rowsOf<{ generation: number; scheme: string; sealed: string }>(
      test,
      `SELECT k.generation, k.scheme, encode(k.sealed_shares, 'hex') AS sealed FROM key_share_sets k
       JOIN wallets w ON w.environment_id = k.environment_id AND w.seed_id = k.id WHERE w.id = $1`,
      [walletId],
    );
    return set!;
  };
  /** A person with a device and a wallet. */
  const someone = async (scheme: Scheme = 'TWO_OF_TWO') => {
    const person = await world.signIn(newEmail());
    const own = new Device(world, person.jwt);
    return { person, own, shares: await own.create(scheme) };
  };
  /** The user's first message of a room, which nobody has sent yet. */
  const firstMessage = async (own: Device, shares: ShareSet, scheme?: Scheme) => {
    const { resharing, opened } = await own.begin(shares, scheme);
    const [opening] = await own.rooms.read(opened.roomId, 0);
    const room = { environmentId: world.environmentId, roomId: opened.roomId };
    const ids = opened.newServerKeygenIds ?? opened.serverKeygenIds ?? [];
    const first = (await resharing.respond(room, opening!.message as never, ids)) as Sent;
    return { roomId: opened.roomId, room, resharing, first };
  };
  /** The one before the last: with it the new shares would be in use. */
  const lastMessage = async (own: Device, shares: ShareSet, scheme?: Scheme) => {
    const { room, roomId, resharing, first } = await firstMessage(own, shares, scheme);
    const [answer] = await own.rooms.post(roomId, first);
    const { shares: pending, proof } = await resharing.finish(room, answer!.message as never);
    return { roomId, pending, proof };
  };

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
    owner = await world.signIn(newEmail());
    device = new Device(world, owner.jwt);
  });
  afterAll(() => test.close());

  it('are refreshed, with one address, a row of the ledger and an event; the old ones are destroyed', async () => {
    const old = await device.create('TWO_OF_TWO');
    const before = await setOf(old.walletId);
    const next = await device.renew(old);
    const after = await setOf(old.walletId);
    expect([next.address, next.generation, after.generation]).toEqual([old.address, 2, 2]);
    expect(after.sealed).not.toBe(before.sealed);
    expect(verifies(old, await device.sign(next, TEXT))).toBe(true);
    const ledger = await rowsOf<object>(
      test,
      `SELECT operation, verdict, subject FROM key_ledger
       WHERE environment_id = $1 AND subject->>'walletId' = $2 ORDER BY sequence`,
      [world.environmentId, old.walletId],
    );
    expect(ledger[1]).toMatchObject({
      operation: 'refresh',
      verdict: 'allowed',
      subject: { protocol: 'FROST', scheme: 'TWO_OF_TWO', generation: 2 },
    });
    const told = await eventsOf(test, world.environmentId, old.walletId);
    expect(told.find(({ name }) => name === 'wallet.reshared')!.data).toMatchObject({ kind: 'refresh', generation: 2 });
    const secrets = [...old.secrets, ...next.secrets].map(({ share }) => share);
    const rows = await rowsOf<{ text: string }>(
      test,
      'SELECT m::text AS text FROM ceremony_messages m WHERE environment_id = $1',
      [world.environmentId],
    );
    expect(rows.some(({ text }) => secrets.some((one) => text.includes(one)))).toBe(false);
  });

  it('are of the key that they replace', async () => {
    const sets: NewShares[] = [];
    for (const _ of ['one', 'another']) {
      const { walletId } = await device.create('TWO_OF_TWO');
      const [set] = await rowsOf<NewShares>(
        test,
        `SELECT k.id, k.user_id AS "userId", k.scheme, k.public_shares AS "publicShares",
           k.sealed_shares AS "sealedShares", k.master_key_id AS "masterKeyId"
         FROM key_share_sets k JOIN wallets w ON w.environment_id = k.environment_id AND w.seed_id = k.id
         WHERE w.id = $1`,
        [walletId],
      );
      sets.push(set!);
    }
    const [one, another] = sets as [NewShares, NewShares];
    const repository = test.app.get(KeyShareSetsRepository, { strict: false });
    const replace = ({ publicShares }: NewShares) =>
      test.app
        .get(UnitOfWork, { strict: false })
        .run((tx) => repository.replace(world.environmentId, 1, { ...one, publicShares }, tx));
    expect([await replace(another), await replace(one), await replace(one)]).toEqual([false, true, false]);
  });

  it('go from 2 of 2 to 2 of 3 to 3 of 5 to 2 of 2 with one address, and each signs', async () => {
    let shares = await device.create('TWO_OF_TWO');
    const { address } = shares;
    for (const scheme of ['TWO_OF_THREE', 'THREE_OF_FIVE', 'TWO_OF_TWO'] as const) {
      shares = await device.renew(shares, scheme);
      expect(await schemeOf(shares.walletId)).toMatchObject({
        thresholdSignatureScheme: scheme,
        accountAddress: address,
      });
      expect(await propertiesOf(address)).toMatchObject({ thresholdSignatureScheme: scheme });
      expect(verifies(shares, await device.sign(shares, TEXT))).toBe(true);
    }
    expect([shares.address, shares.generation]).toEqual([address, 4]);
  });

  it('go from 2 of 2 to 2 of 3 and back with one address, and no older ones sign', async () => {
    const { own, shares } = await someone();
    const wider = await own.renew(shares, 'TWO_OF_THREE');
    const back = await own.renew(wider, 'TWO_OF_TWO');
    expect([wider.address, back.address, back.generation]).toEqual([shares.address, shares.address, 3]);
    expect(verifies(back, await own.sign(back, TEXT))).toBe(true);
    for (const older of [shares, wider])
      await expect(own.sign(older, TEXT)).rejects.toMatchObject({ name: 'OtherGeneration', generation: 3 });
  });

  it('replace a share that was lost, with the one that is left', async () => {
    const { own, shares } = await someone('TWO_OF_THREE');
    const left = { ...shares, secrets: shares.secrets.slice(1) };
    const next = await own.renew(left, 'TWO_OF_THREE');
    for (const { id } of next.secrets) expect(verifies(next, await own.sign(next, TEXT, [id]))).toBe(true);
  });

  it('of the old generation sign nothing with the service: the device learns it before it sends anything', async () => {
    const { own, person, shares } = await someone();
    const next = await own.renew(shares);
    const stale = own.sign(shares, TEXT);
    await expect(stale).rejects.toThrow(OtherGeneration);
    await expect(stale).rejects.toMatchObject({ generation: 2 });
    // A device that does not look sends a share of the old generation, and is named.
    const { body } = await call(`${shares.walletId}/signMessage`, { message: TEXT }, person.jwt);
    const [opening] = await own.rooms.read(body.roomId, 0);
    const forged = signingShares(shares, opening!.message['commitments'] as never, Buffer.from(TEXT), [1]);
    const refused = await post(body.roomId, forged, person.jwt);
    expect([refused.status, refused.body.code, refused.body.payload?.party]).toEqual([422, 'ceremony_aborted', 1]);
    expect(verifies(next, await own.sign(next, TEXT))).toBe(true);
  });

  it('end a signature that was begun with the old ones, without counting it against the user', async () => {
    const { own, person, shares } = await someone();
    const { body } = await call(`${shares.walletId}/signMessage`, { message: TEXT }, person.jwt);
    const [opening] = await own.rooms.read(body.roomId, 0);
    const message = signingShares(shares, opening!.message['commitments'] as never, Buffer.from(TEXT), [1]);
    await own.renew(shares);
    const refused = await post(body.roomId, message, person.jwt);
    expect([refused.status, refused.body.code]).toEqual([409, 'key_shares_changed']);
    const failure = 'SELECT failure FROM ceremony_rooms WHERE id = $1';
    expect(await rowsOf(test, failure, [body.roomId])).toEqual([{ failure: 'the service refused' }]);
  });

  it('end a signature that the service was making while they went: its share does not leave', async () => {
    const { own, person, shares } = await someone();
    const { body } = await call(`${shares.walletId}/signMessage`, { message: TEXT }, person.jwt);
    const [opening] = await own.rooms.read(body.roomId, 0);
    const message = signingShares(shares, opening!.message['commitments'] as never, Buffer.from(TEXT), [1]);
    const refused = await withClient(test.databaseUrl, async (other) => {
      const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await other.query('BEGIN');
      await other.query('SELECT FROM wallets WHERE id = $1 FOR UPDATE', [shares.walletId]);
      const answer = post(body.roomId, message, person.jwt);
      answer.catch(() => undefined);
      await eventually('the answer waits for the wallet', async () => {
        const waiting = 'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
        return (await rowsOf(test, waiting, [rows[0]!.pid])).length > 0 || null;
      });
      await other.query(
        `UPDATE key_share_sets k SET generation = k.generation + 1 FROM wallets w
         WHERE w.id = $1 AND k.environment_id = w.environment_id AND k.id = w.seed_id`,
        [shares.walletId],
      );
      await other.query('COMMIT');
      return answer;
    });
    expect([refused.status, refused.body.code]).toEqual([409, 'key_shares_changed']);
    const sent = 'SELECT sender FROM ceremony_messages WHERE room_id = $1 ORDER BY sequence';
    expect(await rowsOf(test, sent, [body.roomId])).toHaveLength(1);
  });

  it.each<[string, (sent: Sent) => void]>([
    [
      'a dealt share is tampered with',
      ({ shares: [share] }) => {
        share!.ciphertext = `${share!.ciphertext.startsWith('A') ? 'B' : 'A'}${share!.ciphertext.slice(1)}`;
      },
    ],
    ['something else than the share is dealt', ({ packages: [own] }) => own!.commitment.reverse()],
  ])('are given up when %s: the participant is named, and the old ones stay in use', async (_, tamper) => {
    const { own, person, shares } = await someone();
    const { roomId, first } = await firstMessage(own, shares);
    tamper(first);
    const refused = await post(roomId, first, person.jwt);
    expect([refused.status, refused.body.code, refused.body.payload?.party]).toEqual([422, 'ceremony_aborted', 1]);
    expect((await setOf(shares.walletId)).generation).toBe(1);
    expect(verifies(shares, await own.sign(shares, TEXT))).toBe(true);
  });

  it('are not in use before they have signed: a proof by the old ones, or by some, ends it', async () => {
    const { own, person, shares } = await someone('TWO_OF_THREE');
    for (const wrong of ['old', 'one'] as const) {
      const { roomId, proof } = await lastMessage(own, shares);
      const { commitments, shares: sent, type } = proof as ReturnType<typeof signingShares>;
      const other =
        wrong === 'one'
          ? { type, commitments: commitments.slice(0, 1), shares: sent.slice(0, 1) }
          : { type, commitments, shares: sent.map(({ id }) => ({ id, share: shares.secrets[0]!.share })) };
      const refused = await post(roomId, other, person.jwt);
      expect([wrong, refused.status, refused.body.code]).toEqual([wrong, 422, 'ceremony_aborted']);
    }
    expect((await setOf(shares.walletId)).generation).toBe(1);
    expect(verifies(shares, await own.sign(shares, TEXT))).toBe(true);
  });

  it('are void when the time is over, or the user stops in the middle', async () => {
    const { own, person, shares } = await someone();
    const stopped = own.renew(shares, undefined, () => Promise.reject(new Error('the disk is full')));
    await expect(stopped).rejects.toThrow('the disk is full');
    const { roomId, proof } = await lastMessage(own, shares);
    await rowsOf(test, "UPDATE ceremony_rooms SET expires_at = now() - interval '1 second' WHERE id = $1", [roomId]);
    const late = await post(roomId, proof, person.jwt);
    expect([late.status, late.body.payload?.state]).toEqual([409, 'expired']);
    expect(verifies(shares, await own.sign(shares, TEXT))).toBe(true);
    // The next one that ends well takes away what was left of both.
    await own.renew(shares);
    const left = `SELECT count(*)::int AS count FROM ceremony_rooms WHERE user_id = $1 AND sealed_state IS NOT NULL`;
    expect(await rowsOf(test, left, [person.userId])).toEqual([{ count: 0 }]);
  });

  it(`are made once, of ${CALLERS} that ask for a refresh at once`, async () => {
    const { own, person, shares } = await someone();
    const opened = await Promise.all(
      Array.from({ length: CALLERS }, () => call(`${shares.walletId}/refresh`, undefined, person.jwt)),
    );
    const rooms = opened.filter(({ status }) => status === 200);
    const others = opened.filter(({ status }) => status !== 200);
    expect(rooms).toHaveLength(20);
    expect(new Set(others.map(({ body }) => body.code))).toEqual(new Set(['too_many_rooms']));
    await rowsOf(test, 'DELETE FROM ceremony_rooms WHERE user_id = $1', [person.userId]);
    const ready: Awaited<ReturnType<typeof lastMessage>>[] = [];
    for (let at = 0; at < ROOMS; at++) ready.push(await lastMessage(own, shares));
    const later = "UPDATE ceremony_rooms SET expires_at = now() + interval '1 hour' WHERE user_id = $1";
    await rowsOf(test, later, [person.userId]);
    // More callers than rooms: some send the same proof as others do.
    const sent = Array.from({ length: CALLERS }, (_, at) => ready[at % ready.length]!);
    const answers = await Promise.all(
      sent.map(async (one) => ({ ...one, answer: await post(one.roomId, one.proof, person.jwt) })),
    );
    const winners = answers.filter(({ answer }) => answer.status === 200);
    expect(winners).toHaveLength(1);
    const lost = answers.filter(({ answer }) => answer.status !== 200);
    expect(new Set(lost.map(({ answer }) => answer.status))).toEqual(new Set([409]));
    expect((await setOf(shares.walletId)).generation).toBe(2);
    const usable = [shares, ...ready.map(({ pending }) => pending)];
    const [{ pending }] = winners as [(typeof winners)[number]];
    expect(verifies(shares, await own.sign(pending, TEXT))).toBe(true);
    for (const other of usable.filter((one) => one !== pending).slice(0, 4)) {
      await expect(own.sign({ ...other, generation: 2 }, TEXT)).rejects.toThrow();
    }
    const left = `SELECT count(*)::int AS count FROM ceremony_rooms WHERE user_id = $1 AND sealed_state IS NOT NULL
       AND kind <> 'sign'`;
    expect(await rowsOf(test, left, [person.userId])).toEqual([{ count: 0 }]);
  }, 180_000);

  it('are nobody else’s: a stranger and another session find neither wallet nor room', async () => {
    const { own, person, shares } = await someone();
    const { roomId, first, resharing } = await firstMessage(own, shares, 'TWO_OF_THREE');
    const stranger = await world.signIn(newEmail());
    const elsewhere = await world.signIn(person.email);
    for (const { jwt } of [stranger, elsewhere]) expect((await post(roomId, first, jwt)).status).toBe(404);
    expect((await call(`${shares.walletId}/refresh`, undefined, stranger.jwt)).status).toBe(404);
    expect((await call(`${shares.walletId}/reshare`, resharing.request, stranger.jwt)).status).toBe(404);
    expect((await post(roomId, first, person.jwt)).status).toBe(200);
  });

  it('are not asked for by another scheme, with keys that are none, or to be handed to somebody', async () => {
    const { own, person, shares } = await someone();
    const { request } = (await own.begin(shares, 'TWO_OF_THREE')).resharing;
    const path = `${shares.walletId}/reshare`;
    const refused = async (body: object) => {
      const answer = await call(path, { ...request, ...body }, person.jwt);
      return [answer.status, answer.body.code];
    };
    expect(await refused({ oldThresholdSignatureScheme: 'THREE_OF_FIVE' })).toEqual([422, 'another_threshold_scheme']);
    expect(await refused({ delegateToProjectEnvironment: true })).toEqual([422, 'reshare_delegates_nothing']);
    expect(await refused({ revokeDelegation: true })).toEqual([422, 'reshare_delegates_nothing']);
    for (const clientKeygenIds of [[], ['2', '3'], request.clientKeygenIds.slice(1)]) {
      expect(await refused({ clientKeygenIds })).toEqual([400, 'validation_failed']);
    }
    const { roomId, first } = await firstMessage(own, shares, 'TWO_OF_THREE');
    const swapped = await post(roomId, { ...first, keygenIds: [...first.keygenIds].reverse() }, person.jwt);
    expect([swapped.status, swapped.body.code]).toEqual([422, 'ceremony_aborted']);
  });

  describe('that give the user the whole key', () => {
    const ledgerOf = (walletId: string) =>
      rowsOf<{ operation: string; verdict: string; reason: string }>(
        test,
        `SELECT operation, verdict, reason FROM key_ledger
         WHERE environment_id = $1 AND subject->>'walletId' = $2 ORDER BY sequence`,
        [world.environmentId, walletId],
      );
    const releasesOf = async (walletId: string) =>
      (await eventsOf(test, world.environmentId, walletId)).filter(({ name }) => name === 'wallet.keyReleased');
    const roomsOfUser = (userId: string) =>
      rowsOf(test, "SELECT id FROM ceremony_rooms WHERE user_id = $1 AND kind = 'reshare'", [userId]);
    const ask = async (shares: ShareSet, scheme: Scheme, token: string, headers?: Record<string, string>) => {
      const { request } = await Resharing.begin(shares, scheme);
      const path = world.sdk(`/waas/${shares.walletId}/reshare`);
      return world.anonymous.post<Refusal & { roomId: string }>(path, request, { token, headers });
    };

    it.each(['TWO_OF_THREE', 'THREE_OF_FIVE'] as const)(
      'by %s are dealt after a fresh proof alone, which is good once',
      async (scheme) => {
        const { person, shares } = await someone();
        const without = await ask(shares, scheme, person.jwt);
        expect([without.status, without.body.code]).toEqual([403, 'fresh_proof_required']);
        expect(await roomsOfUser(person.userId)).toEqual([]);
        const headers = await proofOf(world, person.jwt);
        expect((await ask(shares, scheme, person.jwt, headers)).status).toBe(200);
        const again = await ask(shares, scheme, person.jwt, headers);
        expect([again.status, again.body.code]).toEqual([403, 'fresh_proof_required']);
      },
    );

    it('cost no proof where they are refused for the ceremonies that there are', async () => {
      const { person, shares } = await someone();
      for (let at = 0; at < 20; at++)
        expect((await call(`${shares.walletId}/refresh`, undefined, person.jwt)).status).toBe(200);
      const headers = await proofOf(world, person.jwt);
      for (let at = 0; at < 2; at++) {
        expect((await ask(shares, 'TWO_OF_THREE', person.jwt, headers)).body.code).toBe('too_many_rooms');
      }
      await rowsOf(test, 'DELETE FROM ceremony_rooms WHERE user_id = $1', [person.userId]);
      expect((await ask(shares, 'TWO_OF_THREE', person.jwt, headers)).status).toBe(200);
    });

    it.each<[string, string[], boolean]>([
      ['of an export, where the settings ask for one before exports', ['wallet.waas.export'], true],
      ['once, where they ask before reshares as well', ['wallet.waas.export', 'wallet.waas.reshare'], true],
      ['before nothing that it is', ['wallet.waas.sign', 'wallet.waas.refresh', 'user.update'], false],
    ])('ask for a second factor %s', async (_, actions, isAsked) => {
      const strict = await World.create(test);
      const { jwt, userId } = await strict.signIn(newEmail());
      const shares = await new Device(strict, jwt).create('TWO_OF_TWO');
      await allowSecondFactors(strict, { actions });
      const { code } = await steadyDevice(strict, jwt);
      const { request } = await Resharing.begin(shares, 'TWO_OF_THREE');
      const reshare = async (headers: Record<string, string>) => {
        const path = strict.sdk(`/waas/${shares.walletId}/reshare`);
        const { status, body } = await strict.anonymous.post<Refusal>(path, request, { token: jwt, headers });
        return [status, body.code];
      };
      const proof = await proofOf(strict, jwt);
      if (isAsked) {
        expect(await reshare(proof)).toEqual([403, 'mfa_token_required']);
        expect(await roomsOfUser(userId)).toEqual([]);
        const given = await strict.anonymous.post<{ mfaToken: string }>(
          strict.sdk('/users/mfa/auth/totp'),
          { code: await code(), createMfaToken: { singleUse: true } },
          { token: jwt, expect: 200 },
        );
        Object.assign(proof, { 'x-mfa-auth-token': given.body.mfaToken });
      }
      expect(await reshare(proof)).toEqual([200, undefined]);
    });

    it('need none where the user has had it, or does not get it', async () => {
      const { person, shares } = await someone('TWO_OF_THREE');
      for (const scheme of ['THREE_OF_FIVE', 'TWO_OF_TWO'] as const) {
        expect((await ask(shares, scheme, person.jwt)).status).toBe(200);
      }
      const { person: other, own, shares: alike } = await someone();
      expect((await ask(alike, 'TWO_OF_TWO', other.jwt)).status).toBe(200);
      await lastMessage(own, alike, 'TWO_OF_TWO');
      expect(await releasesOf(alike.walletId)).toEqual([]);
    });

    it('are on record once they have left, though the ceremony is dropped, and are told by mail', async () => {
      const { person, own, shares } = await someone();
      const { roomId, first } = await firstMessage(own, shares, 'TWO_OF_THREE');
      expect((await ledgerOf(shares.walletId)).some(({ operation }) => operation === 'export')).toBe(false);
      expect((await post(roomId, first, person.jwt)).status).toBe(200);
      await rowsOf(test, "UPDATE ceremony_rooms SET expires_at = now() - interval '1 second' WHERE id = $1", [roomId]);
      expect((await setOf(shares.walletId)).generation).toBe(1);
      const kept = (await ledgerOf(shares.walletId)).filter(({ operation }) => operation === 'export');
      expect(kept).toEqual([{ operation: 'export', verdict: 'allowed', reason: `reshare ${roomId}` }]);
      const told = await releasesOf(shares.walletId);
      expect(told.map(({ data }) => data)).toMatchObject([
        { id: shares.walletId, userId: person.userId, thresholdSignatureScheme: 'TWO_OF_THREE' },
      ]);
      const mail = await eventually('the user has a mail', () => {
        const mails = test.app.get(DevInbox).entries.filter(({ to }) => to === person.email);
        return Promise.resolve(mails.find((one) => JSON.stringify(one).includes(shares.address)) ?? null);
      });
      expect(JSON.stringify(mail)).toContain('move everything in that wallet');
    });

    it('are not dealt, and do not leave, where a policy blocks exports', async () => {
      const { person, own, shares } = await someone();
      const { roomId, first } = await firstMessage(own, shares, 'TWO_OF_THREE');
      const rule = { name: 'no exports', ruleType: 'deny', chain: 'SVM', operationRestrictions: { blockExport: true } };
      const policies = world.path('/waas/policies');
      const { status, body } = await world.api.post<{ policyContent: { ruleId: string }[] }>(policies, {
        rulesToAdd: [rule],
      });
      expect(status).toBeLessThan(300);
      try {
        const headers = await proofOf(world, person.jwt);
        const refused = await ask(shares, 'TWO_OF_THREE', person.jwt, headers);
        expect([refused.status, refused.body.code]).toEqual([422, 'refused_by_signing_policy']);
        const late = await post(roomId, first, person.jwt);
        expect([late.status, late.body.code]).toEqual([422, 'refused_by_signing_policy']);
        expect(await roomsOfUser(person.userId)).toHaveLength(1);
        expect(await releasesOf(shares.walletId)).toEqual([]);
        const kept = (await ledgerOf(shares.walletId)).filter(({ operation }) => operation === 'export');
        const row = { operation: 'export', verdict: 'refused_by_signing_policy' };
        expect(kept).toEqual([
          { ...row, reason: 'reshare' },
          { ...row, reason: `reshare ${roomId}` },
        ]);
        // A refresh gives the user nothing of the kind.
        expect((await own.renew(shares)).generation).toBe(2);
      } finally {
        await world.api.delete(policies, { body: { ruleIdsToDelete: [body.policyContent[0]!.ruleId] } });
      }
    });
  });

  it('are made anew three times within an hour, and no more', async () => {
    const { person, shares } = await someone();
    const env = { ROLE: 'api', RATE_LIMIT_SCALE: '1' };
    const limited = await startTestApp({ env, databaseUrl: test.databaseUrl });
    try {
      const there = Object.assign(Object.create(World.prototype) as World, world, { test: limited });
      const statuses: number[] = [];
      for (let at = 0; at < 4; at++) {
        const path = there.sdk(`/waas/${shares.walletId}/refresh`);
        const { status } = await there.anonymous.post<Refusal>(path, undefined, { token: person.jwt });
        statuses.push(status);
      }
      expect(statuses).toEqual([200, 200, 200, 429]);
    } finally {
      await limited.close();
    }
  });
});
