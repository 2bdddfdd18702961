import { describe, expect, it } from '@jest/globals';
import { signV4, type AwsCredentials, type AwsRequest } from './aws-signature.js';

/** Of the test suite that AWS publishes for Signature Version 4. */
const CREDENTIALS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: null,
};
const VANILLA: AwsRequest = {
  method: 'GET',
  host: 'example.amazonaws.com',
  path: '/',
  headers: {},
  body: '',
  region: 'us-east-1',
  service: 'service',
  at: new Date('2015-08-30T12:36:00Z'),
};

/** The examples of "Authenticating Requests: Using the Authorization Header", Amazon S3 API Reference. */
const OF_S3: AwsCredentials = {
  accessKeyId: ['AKIA', 'IOSFODNN7EXAMPLE'].join(''),
  secretAccessKey: ['wJalrXUtnFEMI', 'K7MDENG', 'bPxRfiCYEXAMPLEKEY'].join('/'),
  sessionToken: null,
};
const BUCKET = {
  method: 'GET',
  host: 'examplebucket.s3.amazonaws.com',
  path: '/',
  region: 'us-east-1',
  service: 's3',
  at: new Date('2013-05-24T00:00:00Z'),
};

const signatureOf = (headers: Record<string, string>): string | undefined =>
  /Signature=([0-9a-f]{64})$/.exec(headers['authorization'] ?? '')?.[1];

describe('AWS Signature Version 4', () => {
  it.each<[string, Partial<AwsRequest>, string]>([
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

  it.each<[string, Partial<AwsRequest>, string]>([
    [
      'an object',
      { path: '/test.txt', headers: { Range: 'bytes=0-9' } },
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'an upload',
      {
        ...{ method: 'PUT', path: '/test%24file.text', body: 'Welcome to Amazon S3.' },
        headers: { Date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
      },
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
    [
      'a setting of a bucket',
      { query: { lifecycle: '' } },
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    ],
    [
      'a list',
      { query: { prefix: 'J', 'max-keys': '2' } },
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ])('agrees with the published example of Amazon S3 of %s', (_name, change, signature) => {
    expect(signatureOf(signV4({ ...BUCKET, ...change }, OF_S3))).toBe(signature);
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
