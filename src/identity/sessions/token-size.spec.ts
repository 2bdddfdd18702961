import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { JwtService } from '@nestjs/jwt';
import { bytesForToken, sessionCookie } from './session-cookie.js';
import { sessionFixture } from './session.fixture.js';
import { fullClaims, minifiedClaims, type ClaimsInput } from './token-claims.js';
import { TokenSigner } from './token-signer.js';
import { fittingClaims, fittingScopes, MAX_TOKEN_BYTES, roomForClaims } from './token-size.js';

const ENVIRONMENT = '018f0000-0000-7000-8000-00000000000e';
const KID = '018f0000-0000-7000-8000-0000000000f1';
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const signed = (claims: object): Promise<string> =>
  new TokenSigner(new JwtService()).sign({ ...claims }, { kid: KID, privateKey });

const FORMATS = ['email', 'phoneNumber', 'blockchain', 'oauth', 'passkey', 'externalUser'];
const LONG = '語'.repeat(255);
const FIELDS = Array.from({ length: 60 }, (_, at) => ({ name: `field-${at}-${LONG}`, required: true }));
const SCOPES = ['user:basic', ...Array.from({ length: 100 }, (_, at) => `scope-${at}`.padEnd(64, '-'))];

/** Somebody of whom everything is as long as it can be. */
const longest = (): ClaimsInput => ({
  session: sessionFixture({ audience: `https://${'a'.repeat(247)}.example`, sessionPublicKey: 'k'.repeat(512) }),
  user: {
    id: sessionFixture().userId,
    verifiedCredentials: FORMATS.map((format, at) => ({ id: String(at), format })),
    ...{ email: LONG, username: LONG, alias: LONG, firstName: LONG, lastName: LONG, jobTitle: LONG, team: LONG },
    ...{ tShirtSize: LONG, country: LONG, btcWallet: LONG, kdaWallet: LONG, ltcWallet: LONG, dogeWallet: LONG },
    metadata: { note: LONG },
    missingFields: FIELDS,
  },
  scope: '',
  lists: Array.from({ length: 50 }, () => LONG),
  issuer: `${'i'.repeat(200)}.example/${ENVIRONMENT}`,
  defaultAudience: 'https://id.example.com',
  kid: KID,
});

describe('the size of a token', () => {
  it.each([true, false])('is within its bound at the worst, in a cookie: %p', async (asCookie) => {
    const room = roomForClaims(asCookie ? bytesForToken(ENVIRONMENT) : MAX_TOKEN_BYTES, KID);
    const input = longest();
    const scopes = fittingScopes(SCOPES, { withoutScopes: minifiedClaims(input), room, asCookie });
    const scope = scopes.join(' ');
    expect(scopes[0]).toBe('user:basic');
    expect(scope.length).toBeGreaterThan(asCookie ? 300 : 2_000);
    const small = await signed(minifiedClaims({ ...input, scope }));
    if (asCookie) {
      expect(() => sessionCookie(ENVIRONMENT, small, new Date())).not.toThrow();
      return;
    }
    const claims = fittingClaims(fullClaims({ ...input, scope }), room);
    expect((await signed(claims)).length).toBeLessThanOrEqual(MAX_TOKEN_BYTES);
    const missing = claims['missing_fields'] as object[];
    expect(missing[0]).toMatchObject(FIELDS[0]!);
    expect(missing.length).toBeLessThan(FIELDS.length);
    expect(claims).toMatchObject({ lists: [], verified_credentials: [], scope, sub: input.session.userId });
    expect(claims['left_out']).toEqual(expect.arrayContaining(['metadata', 'email', 'missing_fields']));
  });

  it('leaves out no more than it has to, and what is longest as a rule first', () => {
    const input = longest();
    const small = fullClaims({
      ...input,
      session: sessionFixture(),
      user: { id: input.user.id, verifiedCredentials: [], metadata: { a: LONG } },
      lists: [],
    });
    expect(fittingClaims(small, 10_000)).toBe(small);
    expect(fittingClaims(small, 1_500)).toMatchObject({ left_out: ['metadata'], lists: [] });
  });
});
