import { describe, expect, it } from '@jest/globals';
import { s3Headers, type S3Request } from './s3-signature.js';

/** The examples of "Authenticating Requests: Using the Authorization Header", Amazon S3 API Reference. */
const CREDENTIALS = {
  keyId: ['AKIA', 'IOSFODNN7EXAMPLE'].join(''),
  secret: ['wJalrXUtnFEMI', 'K7MDENG', 'bPxRfiCYEXAMPLEKEY'].join('/'),
  region: 'us-east-1',
};
const AT = new Date('2013-05-24T00:00:00Z');
const HOST = 'examplebucket.s3.amazonaws.com';

const EXAMPLES: [string, S3Request, string][] = [
  [
    'an object',
    { method: 'GET', host: HOST, path: '/test.txt', headers: { Range: 'bytes=0-9' } },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'an upload',
    {
      ...{ method: 'PUT', host: HOST, path: '/test%24file.text', body: 'Welcome to Amazon S3.' },
      headers: { Date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'a setting of a bucket',
    { method: 'GET', host: HOST, path: '/', query: { lifecycle: '' } },
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'a list',
    { method: 'GET', host: HOST, path: '/', query: { prefix: 'J', 'max-keys': '2' } },
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
];

describe('the signature of a request of Amazon S3', () => {
  it.each(EXAMPLES)('is that of the published example of %s', (_, request, signature) => {
    expect(s3Headers(request, CREDENTIALS, AT)['authorization']).toMatch(new RegExp(`Signature=${signature}$`));
  });
});
