import { describe, expect, it } from '@jest/globals';
import { signV4, type RequestToSign } from './signature-v4.js';

/** Of the test suite that AWS publishes for Signature Version 4. */
const CREDENTIALS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: null,
};
const VANILLA: RequestToSign = {
  method: 'GET',
  url: new URL('https://example.amazonaws.com/'),
  headers: {},
  body: '',
  region: 'us-east-1',
  service: 'service',
  at: new Date('2015-08-30T12:36:00Z'),
};
const signatureOf = (headers: Record<string, string>): string | undefined =>
  /Signature=([0-9a-f]{64})$/.exec(headers['authorization'] ?? '')?.[1];

describe('AWS Signature Version 4', () => {
  it.each<[string, Partial<RequestToSign>, string]>([
    ['get-vanilla', {}, '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    ['post-vanilla', { method: 'POST' }, '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
    [
      'post-header-key-sort',
      { method: 'POST', headers: { 'My-Header1': 'value1' } },
      'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
    ],
  ])('agrees with the published vector %s', (_name, change, signature) => {
    expect(signatureOf(signV4({ ...VANILLA, ...change }, CREDENTIALS))).toBe(signature);
  });

  it('covers the body, every header and the session token', () => {
    const base = { ...VANILLA, method: 'POST', headers: { 'x-amz-target': 'a' }, body: '{}' } as const;
    const signatures = [
      signV4(base, CREDENTIALS),
      signV4({ ...base, body: '{ }' }, CREDENTIALS),
      signV4({ ...base, headers: { 'x-amz-target': 'b' } }, CREDENTIALS),
      signV4(base, { ...CREDENTIALS, sessionToken: 'token' }),
      signV4({ ...base, region: 'eu-central-1' }, CREDENTIALS),
    ].map(signatureOf);
    expect(new Set(signatures).size).toBe(signatures.length);
  });

  it('sends the session token and never the secret key', () => {
    const headers = signV4(VANILLA, { ...CREDENTIALS, sessionToken: 'token' });
    expect(headers['x-amz-security-token']).toBe('token');
    expect(headers['authorization']).toContain('SignedHeaders=host;x-amz-date;x-amz-security-token,');
    expect(JSON.stringify(headers)).not.toContain(CREDENTIALS.secretAccessKey);
  });
});
