import type { BareSetup } from './setup.js';
import { TOKEN_LIFE, type Signatures } from './signatures.js';
import { baseForm, type UserRow } from './user-row.js';

/** The response to every sign-in: two tokens and the user. */
export class SignedIn {
  constructor(
    private readonly signatures: Signatures,
    private readonly setup: BareSetup,
  ) {}

  /** @param amr the method used to sign in (RFC 8176) */
  answer(row: UserRow, session: { sid: string; jti: string; aud: string | undefined }, amr: string): object {
    const { sid, jti, aud } = session;
    const iat = Math.floor(Date.now() / 1000);
    const exp = iat + TOKEN_LIFE;
    const claims = {
      ...{ kid: this.setup.kid, aud, iss: this.setup.issuer, sub: row.id, sid, jti, iat, exp, auth_time: iat },
      ...{ environment_id: row.environment_id, amr: [amr], scope: 'user:basic' },
      last_verified_credential_id: row.last_verified_credential_id,
    };
    const user = { ...baseForm(row), sessionId: sid, scope: 'user:basic', lists: [] };
    const profile = { email: row.email, alias: row.alias, given_name: row.first_name, family_name: row.last_name };
    return {
      jwt: this.signatures.token({ ...claims, ...profile, verified_credentials: row.credentials, missing_fields: [] }),
      minifiedJwt: this.signatures.token(claims),
      user,
      expiresAt: String(exp),
    };
  }
}
