import { describe, expect, it } from '@jest/globals';
import { isSecretName, withoutSecrets } from './redaction.js';

describe('a name', () => {
  it.each([
    ...['secret', 'clientSecret', 'client_secret', 'secretKey', 'apiKey', 'token', 'rawToken', 'password', 'code'],
    ...['privateKey', 'Authorization', 'x-authorization', 'sealedSecret', 'tokenHash', 'stripeApiKey', 'passcode'],
  ])('like %s belongs to a secret', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  it.each(['tokenId', 'countryCode', 'postalCode', 'secretary', 'publicKey', 'codes', 'tokens', 'name', 'seedId'])(
    'like %s does not',
    (name) => {
      expect(isSecretName(name)).toBe(false);
    },
  );
});

describe('what an event may tell', () => {
  it('has no secret at any depth', () => {
    const hidden = { toJSON: () => 'whsec_[redacted]' };
    const record = { id: 1, secret: 'x', hidden, raw: Buffer.from('x'), list: [{ apiKey: 'x', url: 'y' }, hidden] };
    expect(withoutSecrets(record)).toEqual({ id: 1, list: [{ url: 'y' }] });
  });

  it('has dates as the API writes them, and nothing of what is absent', () => {
    expect(withoutSecrets({ at: new Date(0), none: undefined })).toStrictEqual({ at: '1970-01-01T00:00:00.000Z' });
  });
});
