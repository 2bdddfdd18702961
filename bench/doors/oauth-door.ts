import { randomBytes } from 'node:crypto';
import {
  challengeOf,
  codeHash,
  handedCode,
  nonceOf,
  stateHash,
} from '../../src/identity/methods/oauth/oauth-binding.js';
import type { LoadRequest } from '../load/load-job.js';
import { withClient } from '../stack/postgres.js';
import { doorRequest, SITE, type Door, type Place } from './door.js';
import { codeOf } from './provider-code.js';

export const OAUTH_PROVIDER = 'google';

const PLANT = `
  INSERT INTO oauth_attempts (environment_id, state_hash, provider, redirect_url, code_challenge, answer, code_hash, expires_at)
  SELECT $1, a.state_hash, '${OAUTH_PROVIDER}', '${SITE}/signed-in', a.code_challenge, a.answer, a.code_hash,
    now() + interval '1 day'
  FROM unnest($2::bytea[], $3::text[], $4::text[], $5::bytea[]) AS a (state_hash, code_challenge, answer, code_hash)`;

/** Accounts at an OpenID Connect provider that has already responded; the code is still to be redeemed there. */
export class OauthDoor implements Door {
  readonly row = 'sign-in with an OAuth code';
  readonly begunPerMs = 2;
  readonly opensAccounts = true;

  constructor(private readonly people: number) {}

  async begun({ databaseUrl, environmentId }: Place, count: number): Promise<LoadRequest[]> {
    const attempts = Array.from({ length: count }, (_, index) => {
      const [state, codeVerifier] = [random(), random()];
      const answer = codeOf({ sub: `person-${index % this.people}`, nonce: nonceOf(state) });
      return { state, codeVerifier, answer, code: handedCode(state, answer) };
    });
    await withClient(databaseUrl, (client) =>
      client.query(PLANT, [
        ...[environmentId, attempts.map(({ state }) => stateHash(state))],
        ...[attempts.map(({ codeVerifier }) => challengeOf(codeVerifier)), attempts.map(({ answer }) => answer)],
        attempts.map(({ code }) => codeHash(code)),
      ]),
    );
    return attempts.map(({ state, code, codeVerifier }) =>
      doorRequest(environmentId, `providers/${OAUTH_PROVIDER}/signIn`, { state, code, codeVerifier }),
    );
  }
}

const random = (): string => randomBytes(32).toString('base64url');
