import type { Answer } from './client.js';
import { rowsOf } from './rows.js';
import { keySignIn, newKey } from './wallet-sign-in.js';
import type { SignedIn, World } from './world.js';

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

export const codeOf = ({ body }: Answer<AccountAnswer>): string | undefined => body.error?.code ?? body.code;

/** What people do with their accounts, as an application asks for it. */
export class Accounts {
  constructor(readonly world: World) {}

  post(path: string, token: string, body?: unknown, elevated?: string): Promise<Answer<AccountAnswer>> {
    const headers: Record<string, string> = elevated ? { 'x-elevated-access-token': elevated } : {};
    return this.world.anonymous.post<AccountAnswer>(this.world.sdk(path), body, { token, headers });
  }

  /** Sends the code of an address back. */
  async verifyEmail(token: string, email: string, requestedScopes?: string[], elevated?: string) {
    const verificationUUID = await this.world.sendCode(email);
    const body = {
      verificationUUID,
      verificationToken: this.world.code(email),
      ...(requestedScopes && { requestedScopes }),
    };
    return this.post('/emailVerifications/verify', token, body, elevated);
  }

  /** As if the sign-in, and what was proven before it, had been six minutes ago. */
  async age({ sessionId, userId }: Pick<SignedIn, 'sessionId' | 'userId'>): Promise<void> {
    const earlier = "- interval '6 min'";
    await rowsOf(this.world.test, `UPDATE sessions SET created_at = created_at ${earlier} WHERE id = $1`, [sessionId]);
    await rowsOf(this.world.test, `UPDATE identifier_claims SET proven_at = proven_at ${earlier} WHERE user_id = $1`, [
      userId,
    ]);
  }

  async isLive(token: string): Promise<boolean> {
    return (await this.world.anonymous.get(this.world.sdk('/session'), { token })).status === 204;
  }

  /** Somebody who signed in with a wallet. */
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
