import { DevInbox } from '../../src/providers/index.js';
import type { Answer } from './client.js';
import { rowsOf } from './rows.js';
import { keySignIn, newKey } from './wallet-sign-in.js';
import { newEmail, type SignedIn, type World } from './world.js';

export interface AccountAnswer {
  jwt: string;
  user: {
    id: string;
    sessionId: string;
    email?: string;
    verifiedCredentials: {
      id: string;
      format: string;
      email?: string;
      address?: string;
      previous_users?: string[];
    }[];
  } & Record<string, unknown>;
  elevatedAccessToken?: string;
  code?: string;
  error?: { code?: string };
  payload?: {
    mergeConflicts?: {
      fromUser: { id: string };
      conflicts: { field: { name: string; type: 'standard' | 'custom' }; fromUser: Value; currentUser: Value }[];
    };
  };
}
interface Value {
  userId: string;
  value: string;
}

/** The union of responses of account operations. */
export interface AnyAnswer {
  jwt?: string;
  code?: string;
  error?: unknown;
}

export const codeOf = ({ body: { code, error } }: Answer<AnyAnswer>): string | undefined =>
  (error as { code?: string } | undefined)?.code ?? code;

/** Account operations as an application calls them. */
export class Accounts {
  constructor(readonly world: World) {}

  post(path: string, token: string, body?: unknown, elevated?: string): Promise<Answer<AccountAnswer>> {
    const headers: Record<string, string> = elevated ? { 'x-elevated-access-token': elevated } : {};
    return this.world.anonymous.post<AccountAnswer>(this.world.sdk(path), body, { token, headers });
  }

  /** Verifies the code sent to an address. */
  async verifyEmail(token: string, email: string, requestedScopes?: string[], elevated?: string) {
    const verificationUUID = await this.world.sendCode(email);
    const body = {
      verificationUUID,
      verificationToken: this.world.code(email),
      ...(requestedScopes && { requestedScopes }),
    };
    return this.post('/emailVerifications/verify', token, body, elevated);
  }

  /** Makes the sign-in and earlier proofs appear six minutes old. */
  async age({ sessionId, userId }: Pick<SignedIn, 'sessionId' | 'userId'>): Promise<void> {
    const earlier = "- interval '6 min'";
    await rowsOf(this.world.test, `UPDATE sessions SET created_at = created_at ${earlier} WHERE id = $1`, [sessionId]);
    await rowsOf(this.world.test, `UPDATE identifier_claims SET proven_at = proven_at ${earlier} WHERE user_id = $1`, [
      userId,
    ]);
  }

  update(token: string, body: object): Promise<Answer<AccountAnswer>> {
    return this.world.anonymous.put<AccountAnswer>(this.world.sdk('/users'), body, { token, expect: 200 });
  }

  /** A person with two accounts, who has just verified the second one's address in the first one's session. */
  async offered(fields: { ada?: object; eve?: object } = {}): Promise<{ ada: SignedIn; eve: SignedIn }> {
    const [ada, eve] = [await this.world.signIn(newEmail()), await this.world.signIn(newEmail())];
    if (fields.ada) await this.update(ada.jwt, fields.ada);
    if (fields.eve) await this.update(eve.jwt, fields.eve);
    const answer = await this.verifyEmail(ada.jwt, eve.email);
    if (answer.status !== 422 || codeOf(answer) !== 'merge_accounts_confirmation')
      throw new Error(`No merge was offered: ${answer.status} ${codeOf(answer)}.`);
    return { ada, eve };
  }

  /** Subjects of the messages to an address, newest first, without codes. */
  mailsTo(address: string): string[] {
    return this.world.test.app
      .get(DevInbox)
      .entries.filter(({ to, code }) => to === address && code === null)
      .map(({ subject }) => subject ?? '');
  }

  async isLive(token: string): Promise<boolean> {
    return (await this.world.anonymous.get(this.world.sdk('/session'), { token })).status === 204;
  }

  /** A user who signed in with a wallet. */
  async walletOwner(key = newKey()): Promise<{ key: ReturnType<typeof newKey>; answer: AccountAnswer }> {
    const { body } = await this.world.anonymous.post<AccountAnswer>(
      this.world.sdk('/verify'),
      await keySignIn(this.world, key),
      { expect: 200 },
    );
    return { key, answer: body };
  }

  async user(userId: string): Promise<AccountAnswer['user']> {
    const { body } = await this.world.api.get<{ user: AccountAnswer['user'] }>(this.world.path(`/users/${userId}`), {
      expect: 200,
    });
    return body.user;
  }
}
