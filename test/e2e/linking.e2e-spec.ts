import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { forbidden } from '../../src/common/errors/index.js';
import { SignInCheck, SignInChecks, type Admission } from '../../src/identity/index.js';
import { DevInbox } from '../../src/providers/index.js';
import { Accounts, codeOf, type AccountAnswer } from '../support/accounts.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { sessionsWaiting, waitingForMe } from '../support/lock-waits.js';
import { withClient } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { addSecondRecord } from '../support/second-record.js';
import { addDevice, allowSecondFactors, roomInStep } from '../support/second-factor.js';
import { enableSms, newPhone, verifyPhone } from '../support/sms.js';
import { addSite, keySignIn, newKey } from '../support/wallet-sign-in.js';
import { World, newEmail } from '../support/world.js';

let test: TestApp;
let world: World;
let accounts: Accounts;
const keptOut = new Set<string>();

/** Keeps out whom the test names. */
class KeptOut extends SignInCheck {
  override async check({ user }: Admission): Promise<null> {
    if (keptOut.has(user.id)) throw forbidden();
    return null;
  }
}

beforeAll(async () => {
  test = await startTestApp({ env: { ROLE: 'api' } });
  world = await World.create(test);
  accounts = new Accounts(world);
  await addSite(world);
  test.app.get(SignInChecks, { strict: false }).register(new KeptOut());
});
afterAll(() => test.close());

const mailsTo = (address: string): string[] =>
  test.app
    .get(DevInbox)
    .entries.filter(({ to, code }) => to === address && code === null)
    .map(({ subject }) => subject ?? '');

describe('linking a credential', () => {
  it('requires a proof of the last five minutes, which may be the sign-in', async () => {
    const ada = await world.signIn(newEmail());
    const wanted = newEmail();
    await accounts.age(ada);
    const refused = await accounts.verifyEmail(ada.jwt, wanted);
    expect([refused.status, codeOf(refused)]).toEqual([403, 'fresh_proof_required']);
    expect((await accounts.user(ada.userId)).email).toBe(ada.email);
    const proof = await accounts.verifyEmail(ada.jwt, ada.email, ['credential:link']);
    const linked = await accounts.verifyEmail(ada.jwt, newEmail(), undefined, proof.body.elevatedAccessToken);
    expect(linked.status).toBe(200);
  });

  it('holds the user before anything of theirs, like an unlinking, so that the two never deadlock', async () => {
    const ada = await world.signIn(newEmail());
    const linked = await withClient(test.databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [ada.userId]);
      const asked = accounts.verifyEmail(ada.jwt, ada.email);
      await eventually('the link waits', async () => (await waitingForMe(client, 'users')) > 0);
      await client.query('SELECT FROM credentials WHERE user_id = $1 FOR UPDATE NOWAIT', [ada.userId]);
      await client.query('SELECT FROM identifier_claims WHERE user_id = $1 FOR UPDATE NOWAIT', [ada.userId]);
      await client.query('COMMIT');
      return asked;
    });
    expect(linked.status).toBe(200);
  });

  it('with a stolen session gives the thief no sign-in, whatever the credential', async () => {
    const ada = await world.signIn(newEmail());
    await accounts.age(ada);
    const key = newKey();
    for (const path of ['/wallets/verify', '/verify/link', '/verify/transfer']) {
      const refused = await accounts.post(path, ada.jwt, await keySignIn(world, key));
      expect([path, refused.status, codeOf(refused)]).toEqual([path, 403, 'fresh_proof_required']);
    }
    const unlinked = await accounts.post('/verify/unlink', ada.jwt, { verifiedCredentialId: ada.userId });
    expect(codeOf(unlinked)).toBe('fresh_proof_required');
    expect(codeOf(await accounts.post('/users/merge', ada.jwt))).toBe('fresh_proof_required');
    expect((await accounts.user(ada.userId)).verifiedCredentials).toHaveLength(1);
  });

  it('notifies the previous address, not the new one, and ends the other sessions', async () => {
    const ada = await world.signIn(newEmail());
    const elsewhere = await world.signIn(ada.email);
    const wanted = newEmail();
    expect((await accounts.verifyEmail(ada.jwt, wanted)).status).toBe(200);
    expect(mailsTo(ada.email)).toEqual([expect.stringContaining('A sign-in method was added')]);
    expect(mailsTo(wanted)).toEqual([]);
    expect([await accounts.isLive(ada.jwt), await accounts.isLive(elsewhere.jwt)]).toEqual([true, false]);
  });

  it('that the user already has requires nothing, notifies nobody and ends nothing', async () => {
    const ada = await world.signIn(newEmail());
    const elsewhere = await world.signIn(ada.email);
    await accounts.age(ada);
    expect((await accounts.verifyEmail(ada.jwt, ada.email)).status).toBe(200);
    expect(mailsTo(ada.email)).toEqual([]);
    expect(await accounts.isLive(elsewhere.jwt)).toBe(true);
  });
});

describe('members at the console', () => {
  /** The same world, seen from the environment that members are users of. */
  const ofConsole = (): World =>
    Object.create(world, { environmentId: { value: world.ids.consoleEnvironmentId } }) as World;
  const member = async () => {
    const at = ofConsole();
    const email = newEmail();
    const [elsewhere, session] = [await at.signIn(email), await at.signIn(email)];
    return { ...session, elsewhere, people: new Accounts(at), at };
  };
  const mainOf = async (userId: string) =>
    (await rowsOf<{ email: string }>(test, 'SELECT email FROM users WHERE id = $1', [userId]))[0]!.email;

  it('link an address only with a proof of the last five minutes, and are notified at the previous one', async () => {
    const ada = await member();
    await ada.people.age(ada);
    const refused = await ada.people.verifyEmail(ada.jwt, newEmail());
    expect([refused.status, codeOf(refused)]).toEqual([403, 'fresh_proof_required']);
    expect([await mainOf(ada.userId), mailsTo(ada.email)]).toEqual([ada.email, []]);

    const wanted = newEmail();
    const proof = await ada.people.verifyEmail(ada.jwt, ada.email, ['credential:link']);
    const token = proof.body.elevatedAccessToken;
    expect((await ada.people.verifyEmail(proof.body.jwt, wanted, undefined, token)).status).toBe(200);
    expect(await mainOf(ada.userId)).toBe(wanted);
    expect(mailsTo(ada.email)).toEqual([expect.stringContaining('A sign-in method was added')]);
    expect(mailsTo(wanted)).toEqual([]);
    expect(await ada.people.isLive(ada.elsewhere.jwt)).toBe(false);
  });

  it('unlink a verified address with a fresh proof, which ends their other sessions; the last one stays', async () => {
    const ada = await member();
    const second = newEmail();
    const linked = await ada.people.verifyEmail(ada.jwt, second);
    const ids = linked.body.user.verifiedCredentials.map(({ id }) => id);
    const elsewhere = await ada.at.signIn(second);
    const unlink = (token: string, verifiedCredentialId: string, elevated?: string) =>
      ada.people.post('/verify/unlink', token, { verifiedCredentialId }, elevated);
    await ada.people.age(ada);
    const refused = await unlink(linked.body.jwt, ids[1]!);
    expect([refused.status, codeOf(refused)]).toEqual([403, 'fresh_proof_required']);
    expect(await ada.people.isLive(elsewhere.jwt)).toBe(true);

    const proof = await ada.people.verifyEmail(linked.body.jwt, ada.email, ['credential:unlink']);
    const unlinked = await unlink(proof.body.jwt, ids[1]!, proof.body.elevatedAccessToken);
    expect(unlinked.status).toBe(200);
    expect(unlinked.body.user.verifiedCredentials.map(({ email }) => email)).toEqual([ada.email]);
    expect(await mainOf(ada.userId)).toBe(ada.email);
    expect(await ada.people.isLive(elsewhere.jwt)).toBe(false);
    for (const address of [ada.email, second])
      expect(mailsTo(address)).toContainEqual(expect.stringContaining('A sign-in method was removed'));

    const again = await ada.at.signIn(ada.email);
    const last = await unlink(again.jwt, ids[0]!);
    expect([last.status, codeOf(last)]).toEqual([422, 'cannot_delete_last_sign_in_verified_credential']);
    expect(await ada.people.isLive(again.jwt)).toBe(true);
  });

  it('change their main address only with a proof of the last five minutes, and are notified at all of them', async () => {
    const ada = await member();
    const second = newEmail();
    const linked = await ada.people.verifyEmail(ada.jwt, second);
    expect(linked.status).toBe(200);
    await ada.people.age(ada);
    const change = (token: string, headers: Record<string, string> = {}) =>
      ada.at.anonymous.put<AccountAnswer>(ada.at.sdk('/users'), { email: ada.email }, { token, headers });
    const refused = await change(linked.body.jwt);
    expect([refused.status, codeOf(refused)]).toEqual([403, 'fresh_proof_required']);
    expect(await mainOf(ada.userId)).toBe(second);

    // By the address that was proven when the session began; the newer one would prove nothing.
    const proof = await ada.people.verifyEmail(linked.body.jwt, ada.email, ['credential:link']);
    const fresh = { 'x-elevated-access-token': proof.body.elevatedAccessToken! };
    const changed = await change(proof.body.jwt, fresh);
    expect(changed.status).toBe(200);
    expect(await mainOf(ada.userId)).toBe(ada.email);
    for (const address of [ada.email, second])
      expect(mailsTo(address)).toContainEqual(expect.stringContaining('contact details'));
  });
});

describe('unlinking', () => {
  it('removes what an API call calls an embedded wallet and the service has no key of', async () => {
    const ada = await world.signIn(newEmail());
    const { address } = newKey();
    const wallet = { publicWalletAddress: address, chain: 'EVM', walletName: 'm', walletProvider: 'embeddedWallet' };
    await world.api.post(world.path(`/users/${ada.userId}/wallets`), wallet, { expect: 201 });
    const stated = (await accounts.user(ada.userId)).verifiedCredentials.find((one) => one.address === address);
    expect(stated).not.toHaveProperty('embedded_wallet_id');
    const unlinked = await accounts.post('/verify/unlink', ada.jwt, { verifiedCredentialId: stated!.id });
    expect([unlinked.status, unlinked.body.user.verifiedCredentials.length]).toEqual([200, 1]);
  });

  it('the credential of the sign-in makes another one the last verified', async () => {
    const ada = await world.signIn(newEmail());
    const linked = await accounts.verifyEmail(ada.jwt, newEmail());
    const [first, second] = linked.body.user.verifiedCredentials;
    expect(linked.body.user['lastVerifiedCredentialId']).toBe(first!.id);
    const { status, body } = await accounts.post('/verify/unlink', ada.jwt, { verifiedCredentialId: first!.id });
    expect([status, body.user['lastVerifiedCredentialId']]).toEqual([200, second!.id]);
    expect(decodeJwt(body.jwt)['last_verified_credential_id']).toBe(second!.id);
    expect((await accounts.user(ada.userId))['lastVerifiedCredentialId']).toBe(second!.id);
  });

  it('a verified address removes it, with its claim; the last credential stays', async () => {
    const ada = await world.signIn(newEmail());
    const other = newEmail();
    const linked = await accounts.verifyEmail(ada.jwt, other);
    const [first, second] = linked.body.user.verifiedCredentials;
    const unlinked = await accounts.post('/verify/unlink', ada.jwt, { verifiedCredentialId: second!.id });
    expect([unlinked.status, unlinked.body.user.email]).toEqual([200, ada.email]);
    expect(unlinked.body.user.verifiedCredentials.map(({ email }) => email)).toEqual([ada.email]);
    for (const address of [ada.email, other]) {
      expect(mailsTo(address).at(0)).toContain('A sign-in method was removed');
    }
    const last = await accounts.post('/verify/unlink', ada.jwt, { verifiedCrentialId: first!.id });
    expect([last.status, codeOf(last)]).toEqual([422, 'cannot_delete_last_sign_in_verified_credential']);
    expect((await world.signIn(other)).userId).not.toBe(ada.userId);
  });

  it('a verified number removes it, with its claim, and leaves the other one in the profile', async () => {
    const own = await World.create(test);
    await enableSms(own);
    const [ada, eve] = [await own.signIn(newEmail()), await own.signIn(newEmail())];
    const [kept, given] = [newPhone(), newPhone()];
    expect((await verifyPhone(own, ada.jwt, kept)).status).toBe(200);
    const { user } = (await verifyPhone(own, ada.jwt, given)).body;
    expect(user['phoneNumber']).toBe(given.e164);
    const verifiedCredentialId = user.verifiedCredentials.at(-1)!.id;
    const unlinked = await new Accounts(own).post('/verify/unlink', ada.jwt, { verifiedCredentialId });
    expect([unlinked.status, unlinked.body.user['phoneNumber']]).toEqual([200, kept.e164]);
    expect((await verifyPhone(own, eve.jwt, given)).body.user['phoneNumber']).toBe(given.e164);
  });

  it('removes nothing if the new primary wallet is not the user’s', async () => {
    const ada = await world.signIn(newEmail());
    const { id } = (await accounts.verifyEmail(ada.jwt, newEmail())).body.user.verifiedCredentials.at(-1)!;
    const asked = { verifiedCredentialId: id, primaryWalletId: crypto.randomUUID() };
    const refused = await accounts.post('/verify/unlink', ada.jwt, asked);
    expect([refused.status, codeOf(refused)]).toEqual([422, 'invalid_unlink_request']);
    expect((await accounts.user(ada.userId)).verifiedCredentials).toHaveLength(2);
  });

  it('a wallet that its application calls embedded removes it like any other', async () => {
    const ada = await world.signIn(newEmail());
    const body = { ...(await keySignIn(world)), walletProvider: 'embeddedWallet' };
    const linked = await accounts.post('/verify/link', ada.jwt, body);
    const wallet = linked.body.user.verifiedCredentials.find(({ format }) => format === 'blockchain');
    expect(wallet).toMatchObject({ wallet_provider: 'embeddedWallet', signInEnabled: true });
    expect(wallet).not.toHaveProperty('embedded_wallet_id');
    const unlinked = await accounts.post('/verify/unlink', ada.jwt, { verifiedCredentialId: wallet!.id });
    expect([unlinked.status, unlinked.body.user.verifiedCredentials.length]).toEqual([200, 1]);
  });

  it('a wallet is named by its credential, too: users are shown no other id of a wallet they brought', async () => {
    const { answer: ada } = await accounts.walletOwner();
    const linked = await accounts.post('/verify/link', ada.jwt, await keySignIn(world));
    const [first, second] = linked.body.user.verifiedCredentials;
    const known = async () => (await accounts.user(ada.user.id))['walletPublicKey'];
    expect(await known()).toBe(second!.address);
    const chosen = { walletId: first!.id };
    const path = world.sdk('/users/wallets/selection');
    await world.anonymous.put(path, chosen, { token: ada.jwt, expect: 200 });
    expect(await known()).toBe(first!.address);
    const asked = { walletId: first!.id, primaryWalletId: second!.id };
    const gone = await accounts.post('/verify/unlink', ada.jwt, { ...asked, primaryWalletId: first!.id });
    expect(codeOf(gone)).toBe('invalid_unlink_request');
    const unlinked = await accounts.post('/verify/unlink', ada.jwt, asked);
    expect([unlinked.status, unlinked.body.user.verifiedCredentials]).toMatchObject([200, [{ id: second!.id }]]);
    expect(await known()).toBe(second!.address);
  });

  it('the selected wallet, which clients name beside the credential, stays', async () => {
    const { answer: ada } = await accounts.walletOwner();
    const email = (await accounts.verifyEmail(ada.jwt, newEmail())).body.user.verifiedCredentials[1]!;
    const [wallet] = ada.user.verifiedCredentials;
    const asked = { verifiedCredentialId: email.id, walletId: wallet!.id };
    const unlinked = await accounts.post('/verify/unlink', ada.jwt, asked);
    expect([unlinked.status, unlinked.body.user.verifiedCredentials]).toMatchObject([200, [{ id: wallet!.id }]]);
  });

  it('one of two records of a wallet leaves the user the other, whatever an API call says afterwards', async () => {
    const key = newKey();
    const said = {
      ...{ publicWalletAddress: key.address, chain: 'EVM' },
      ...{ walletName: 'a wallet', walletProvider: 'browserExtension' },
    };
    const create = () =>
      world.api.post<{ user: { id: string } }>(world.path('/users'), { wallets: [said] }, { expect: 201 });
    await addSecondRecord(test, world.environmentId, (await create()).body.user.id);
    const { answer: ada } = await accounts.walletOwner(key);
    const [, second] = ada.user.verifiedCredentials;
    const unlinked = await accounts.post('/verify/unlink', ada.jwt, { verifiedCredentialId: second!.id });
    expect([unlinked.status, unlinked.body.user.verifiedCredentials.length]).toEqual([200, 1]);
    await create();
    expect((await accounts.walletOwner(key)).answer.user.id).toBe(ada.user.id);
    const [last] = unlinked.body.user.verifiedCredentials;
    const refused = await accounts.post('/verify/unlink', ada.jwt, { verifiedCredentialId: last!.id });
    expect(codeOf(refused)).toBe('cannot_delete_last_sign_in_verified_credential');
  });

  it.each([
    ['nothing', {}],
    ['two things', { walletId: crypto.randomUUID(), verifiedCredentialId: crypto.randomUUID() }],
    ['what nobody has', { verifiedCredentialId: crypto.randomUUID() }],
  ])('%s is refused', async (_, body) => {
    const { jwt } = await world.signIn(newEmail());
    expect(codeOf(await accounts.post('/verify/unlink', jwt, body))).toBe('invalid_unlink_request');
  });

  it('the credential of somebody else is refused like a missing one', async () => {
    const [ada, eve] = [await world.signIn(newEmail()), await world.signIn(newEmail())];
    const [credential] = (await accounts.user(eve.userId)).verifiedCredentials;
    const refused = await accounts.post('/verify/unlink', ada.jwt, { verifiedCredentialId: credential!.id });
    expect(codeOf(refused)).toBe('invalid_unlink_request');
    expect((await accounts.user(eve.userId)).verifiedCredentials).toHaveLength(1);
  });

  it.each([
    [
      'unlinked',
      'DELETE FROM credentials WHERE id = $1',
      'DELETE FROM identifier_claims WHERE user_id = $1 AND kind = $2',
    ],
    [
      'moved',
      'UPDATE credentials SET user_id = $2 WHERE id = $1',
      'UPDATE identifier_claims SET user_id = $3 WHERE user_id = $1 AND kind = $2',
    ],
  ])('opens no session of its former user to a sign-in during which it is %s', async (what, credential, claim) => {
    const [ada, eve, key] = [await world.signIn(newEmail()), await world.signIn(newEmail()), newKey()];
    const linked = await accounts.post('/verify/link', ada.jwt, await keySignIn(world, key));
    const wallet = linked.body.user.verifiedCredentials.find(({ format }) => format === 'blockchain')!;
    const message = await keySignIn(world, key);
    const isMove = what === 'moved';
    const signedIn = await withClient(test.databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [ada.userId]);
      const asked = accounts.post('/verify', '', message);
      await eventually('the sign-in waits', async () => (await waitingForMe(client, 'users')) > 0);
      await client.query(credential, [wallet.id, ...(isMove ? [eve.userId] : [])]);
      await client.query(claim, [ada.userId, 'wallet', ...(isMove ? [eve.userId] : [])]);
      await client.query('COMMIT');
      return asked;
    });
    expect(signedIn.status).toBe(200);
    expect([ada.userId, eve.userId].indexOf(signedIn.body.user.id)).toBe(isMove ? 1 : -1);
    const [open] = await rowsOf<{ count: number }>(test, 'SELECT count(*)::int FROM sessions WHERE user_id = $1', [
      ada.userId,
    ]);
    expect(open).toEqual({ count: 1 });
  });

  it('both of two credentials a hundred times concurrently leaves one', async () => {
    const ada = await world.signIn(newEmail());
    const linked = await accounts.verifyEmail(ada.jwt, newEmail());
    const ids = linked.body.user.verifiedCredentials.map(({ id }) => id);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        accounts.post('/verify/unlink', ada.jwt, { verifiedCredentialId: ids[at % 2] }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => status === 200 || status === 422)).toBe(true);
    expect((await accounts.user(ada.userId)).verifiedCredentials).toHaveLength(1);
  });
});

describe('a wallet of another account', () => {
  /** Somebody with a wallet and an address. */
  const owner = async () => {
    const { key, answer } = await accounts.walletOwner();
    const email = newEmail();
    const linked = await accounts.verifyEmail(answer.jwt, email);
    return { key, email, jwt: linked.body.jwt, userId: answer.user.id };
  };

  it('is moved once that is confirmed with the same message, and both accounts are signed out', async () => {
    const [eve, ada] = [await owner(), await world.signIn(newEmail())];
    const elsewhere = await world.signIn(ada.email);
    const message = await keySignIn(world, eve.key);
    const asked = await accounts.post('/verify/link', ada.jwt, message);
    expect([asked.status, codeOf(asked)]).toEqual([422, 'reassign_wallet_confirm']);
    const moved = await accounts.post('/verify/transfer', ada.jwt, message);
    expect(moved.status).toBe(200);
    const wallet = moved.body.user.verifiedCredentials.find(({ format }) => format === 'blockchain');
    expect(wallet).toMatchObject({ address: eve.key.address, previous_users: [eve.userId] });
    const live = await Promise.all(
      [eve.jwt, ada.jwt, elsewhere.jwt, moved.body.jwt].map((jwt) => accounts.isLive(jwt)),
    );
    expect(live).toEqual([false, false, false, true]);
    expect((await accounts.walletOwner(eve.key)).answer.user.id).toBe(ada.userId);
    expect(mailsTo(eve.email)).toContainEqual(expect.stringContaining('A wallet left your account'));
    expect(codeOf(await accounts.post('/verify/transfer', moved.body.jwt, message))).toBeDefined();
  });

  it('names each of its former owners once, and no more than the newest twenty', async () => {
    const [eve, ada] = [await owner(), await world.signIn(newEmail())];
    const others = Array.from({ length: 30 }, () => crypto.randomUUID());
    await rowsOf(
      test,
      'UPDATE credentials SET previous_users = $3::uuid[] WHERE environment_id = $1 AND address = $2',
      [world.environmentId, eve.key.address, [...others.slice(0, 25), eve.userId, ...others.slice(25)]],
    );
    const moved = await accounts.post('/verify/transfer', ada.jwt, await keySignIn(world, eve.key));
    const wallet = moved.body.user.verifiedCredentials.find(({ format }) => format === 'blockchain');
    expect(wallet?.previous_users).toEqual([...others.slice(-19), eve.userId]);
  });

  it('gives no fresh proof for its new account in an existing session', async () => {
    const eve = await owner();
    const ada = await world.signIn(newEmail());
    const moved = await accounts.post('/verify/transfer', ada.jwt, await keySignIn(world, eve.key));
    expect(moved.status).toBe(200);
    const asked = { ...(await keySignIn(world, eve.key)), requestedScopes: ['wallet:export'] };
    const refused = await accounts.post('/verify/link', moved.body.jwt, asked);
    expect([refused.status, codeOf(refused)]).toEqual([403, 'fresh_proof_required']);
  });

  it('is moved once, however many concurrent requests one person makes', async () => {
    const [eve, ada] = [await owner(), await world.signIn(newEmail())];
    const messages = await Promise.all(Array.from({ length: 50 }, () => keySignIn(world, eve.key)));
    const answers = await Promise.all(messages.map((message) => accounts.post('/verify/transfer', ada.jwt, message)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.every(({ status }) => [200, 401, 422].includes(status))).toBe(true);
    const holders = await rowsOf<{ user: string; previous: string[] }>(
      test,
      'SELECT user_id AS user, previous_users AS previous FROM credentials WHERE environment_id = $1 AND address = $2',
      [world.environmentId, eve.key.address],
    );
    expect(holders).toEqual([{ user: ada.userId, previous: [eve.userId] }]);
  });

  it('goes to one of fifty concurrent requesters', async () => {
    const eve = await owner();
    const people = await Promise.all(Array.from({ length: 50 }, () => world.signIn(newEmail())));
    const messages = await Promise.all(people.map(() => keySignIn(world, eve.key)));
    const answers = await Promise.all(
      people.map(({ jwt }, at) => accounts.post('/verify/transfer', jwt, messages[at])),
    );
    // Each of them may find it with the one before, whose only wallet it is not: all of them have an address.
    expect(answers.every(({ status }) => status === 200 || status === 422)).toBe(true);
    const rows = await rowsOf<{ user_id: string }>(
      test,
      'SELECT user_id FROM credentials WHERE environment_id = $1 AND address = $2',
      [world.environmentId, eve.key.address],
    );
    expect(rows).toHaveLength(1);
    const claims = await rowsOf<{ user_id: string }>(
      test,
      "SELECT user_id FROM identifier_claims WHERE environment_id = $1 AND kind = 'wallet' AND identifier LIKE '%' || lower($2)",
      [world.environmentId, eve.key.address],
    );
    expect(claims).toEqual([{ user_id: rows[0]!.user_id }]);
  });

  it('that is its only sign-in credential is offered as a merge, and moved only on request', async () => {
    const { key, answer } = await accounts.walletOwner();
    const ada = await world.signIn(newEmail());
    const message = await keySignIn(world, key);
    for (const path of ['/verify/link', '/verify/transfer']) {
      const offered = await accounts.post(path, ada.jwt, message);
      expect([path, codeOf(offered)]).toEqual([path, 'merge_accounts_confirmation']);
      expect(offered.body.payload?.mergeConflicts?.fromUser.id).toBe(answer.user.id);
    }
    const moved = await accounts.post('/verify/transfer', ada.jwt, { ...message, skipEmptyAccountCheck: true });
    expect(moved.status).toBe(200);
    expect((await accounts.user(answer.user.id)).verifiedCredentials).toEqual([]);
  });

  it('stays if its owner is blocked, has a second factor, or has it as an embedded wallet', async () => {
    const ada = await world.signIn(newEmail());
    const link = async (key: ReturnType<typeof newKey>) =>
      codeOf(await accounts.post('/verify/link', ada.jwt, await keySignIn(world, key)));
    const blocked = await owner();
    keptOut.add(blocked.userId);
    expect(await link(blocked.key)).toBe('blocked_user_cannot_transfer_wallet');
    const embedded = newKey();
    await rowsOf(
      test,
      `INSERT INTO wallets (environment_id, id, user_id, kind, name, chain, address, provider, seed_id, account_index, version)
       VALUES ($1, gen_random_uuid(), $2, 'embedded', 'Planted', 'EVM', $3, 'embeddedWallet', gen_random_uuid(), 0, 'V1')`,
      [world.environmentId, blocked.userId, embedded.address],
    );
    expect(await link(embedded)).toBe('embedded_wallet_address_already_linked');
    await allowSecondFactors(world);
    await roomInStep();
    const guarded = await owner();
    await addDevice(world, guarded.jwt);
    expect(await link(guarded.key)).toBe('reassign_wallet_error');
    const nobodys = await accounts.post('/verify/transfer', ada.jwt, await keySignIn(world));
    expect(codeOf(nobodys)).toBe('reassign_wallet_error');
  });

  it('stays, and opens no session, if an operator ends the sessions of the one who asks for it meanwhile', async () => {
    const [eve, ada] = [await owner(), await world.signIn(newEmail())];
    const message = await keySignIn(world, eve.key);
    const refused = await withClient(test.databaseUrl, async (client) => {
      await client.query('BEGIN');
      await client.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [ada.userId]);
      const asked = accounts.post('/verify/transfer', ada.jwt, message);
      await eventually('the move waits', async () => (await waitingForMe(client, 'users')) > 0);
      await world.api.post(world.path(`/users/${ada.userId}/sessions/revoke`), undefined, { expect: 204 });
      await client.query('COMMIT');
      return asked;
    });
    expect(refused.status).toBe(401);
    expect((await accounts.walletOwner(eve.key)).answer.user.id).toBe(eve.userId);
    expect(
      await rowsOf(test, 'SELECT 1 FROM sessions WHERE user_id = $1 AND revoked_at IS NULL', [ada.userId]),
    ).toEqual([]);
  });

  it('stays if its owner adds a second factor between the look-up and the move', async () => {
    await allowSecondFactors(world);
    await roomInStep();
    const [eve, ada] = [await owner(), await world.signIn(newEmail())];
    const { id } = await addDevice(world, eve.jwt);
    await rowsOf(test, 'UPDATE mfa_devices SET verified_at = NULL WHERE id = $1', [id]);
    const message = await keySignIn(world, eve.key);
    const refused = await withClient(test.databaseUrl, async (client) => {
      await client.query('BEGIN');
      // As whoever registers a device: it holds the user first.
      await client.query('SELECT FROM users WHERE id = $1 FOR UPDATE', [eve.userId]);
      const asked = accounts.post('/verify/transfer', ada.jwt, message);
      await eventually('the move waits', async () => (await sessionsWaiting(test.databaseUrl)) > 0);
      await client.query('UPDATE mfa_devices SET verified_at = now() WHERE id = $1', [id]);
      await client.query('COMMIT');
      return asked;
    });
    expect([refused.status, codeOf(refused)]).toEqual([422, 'reassign_wallet_error']);
    expect((await accounts.walletOwner(eve.key)).answer.user.id).toBe(eve.userId);
    expect([await accounts.isLive(eve.jwt), await accounts.isLive(ada.jwt)]).toEqual([true, true]);
  });
});
