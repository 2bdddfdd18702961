import { describe, expect, it } from '@jest/globals';
import { createSiweMessage } from 'viem/siwe';
import { MAX_MESSAGE_LENGTH, parseSignInMessage } from './sign-in-message.js';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const LINES = [
  'example.com wants you to sign in with your Ethereum account:',
  ADDRESS,
  '',
  'Welcome.',
  '',
  'URI: https://example.com/login',
  'Version: 1',
  'Chain ID: 1',
  'Nonce: 0123456789abcdef',
  'Issued At: 2026-01-31T12:00:00.000Z',
];
const GOOD = LINES.join('\n');
const refused = expect.objectContaining({ status: 422, code: 'invalid_sign_in_message' });

describe('a sign-in message', () => {
  it('is read in every field (EIP-4361, "Example message")', () => {
    const more = [
      'Expiration Time: 2026-01-31T12:10:00.000Z',
      'Not Before: 2026-01-31T11:59:00+00:00',
      'Request ID: some-id',
      'Resources:',
      '- ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/',
      '- https://example.com/my-web2-claim.json',
    ];
    expect(parseSignInMessage(`https://${[...LINES, ...more].join('\n')}`)).toEqual({
      scheme: 'https',
      domain: 'example.com',
      account: 'Ethereum',
      address: ADDRESS,
      statement: 'Welcome.',
      uri: 'https://example.com/login',
      version: '1',
      chainId: '1',
      nonce: '0123456789abcdef',
      issuedAt: new Date('2026-01-31T12:00:00Z'),
      expirationTime: new Date('2026-01-31T12:10:00Z'),
      notBefore: new Date('2026-01-31T11:59:00Z'),
      requestId: 'some-id',
      resources: [
        'ipfs://bafybeiemxf5abjwjbikoz4mc3a3dla6ual3jsgpdr4cjr3oz3evfyavhwq/',
        'https://example.com/my-web2-claim.json',
      ],
    });
  });

  it.each([
    ['with a statement', { statement: 'Sign in — once.' }],
    ['without one', {}],
    ['with everything', { statement: 'Hi', requestId: 'a', resources: ['https://a.example'], scheme: 'https' }],
    ['of a port', { domain: 'localhost:3000', uri: 'http://localhost:3000' }],
  ])('as viem makes it is read: %s', (_, more) => {
    const nonce = '0123456789abcdef';
    const base = {
      address: ADDRESS,
      chainId: 1,
      domain: 'example.com',
      nonce,
      uri: 'https://example.com',
      version: '1',
    } as const;
    const { statement } = more as { statement?: string };
    const read = parseSignInMessage(createSiweMessage({ ...base, ...more }));
    expect(read).toMatchObject({ address: ADDRESS, nonce, chainId: '1', statement: statement ?? null });
  });

  it('of another chain may leave out the empty line of a statement and the network', () => {
    const text = LINES.filter((line, at) => at !== 3 && at !== 4 && !line.startsWith('Chain')).join('\n');
    expect(parseSignInMessage(text.replace('Ethereum', 'Solana'))).toMatchObject({
      account: 'Solana',
      statement: null,
      chainId: null,
    });
  });

  it('of Aptos names the network last (AIP-116), and nowhere else', () => {
    const last = `${GOOD.replace('Ethereum', 'Aptos').replace('Chain ID: 1\n', '')}\nChain ID: aptos:mainnet`;
    expect(parseSignInMessage(last)).toMatchObject({ account: 'Aptos', chainId: 'aptos:mainnet' });
    expect(() => parseSignInMessage(last.replace('Aptos', 'Ethereum'))).toThrow(refused);
    expect(() => parseSignInMessage(GOOD.replace('Ethereum', 'Aptos'))).toThrow(refused);
  });

  it('takes a statement that looks like a field for a statement', () => {
    const text = GOOD.replace('Welcome.', 'URI: https://evil.example');
    expect(parseSignInMessage(text)).toMatchObject({
      statement: 'URI: https://evil.example',
      uri: 'https://example.com/login',
    });
  });

  it.each<[string, string]>([
    ['nothing', ''],
    ['another text', 'Hello'],
    ['text before it', `Hello\n${GOOD}`],
    ['text after it', `${GOOD}\nHello`],
    ['a line feed at its end', `${GOOD}\n`],
    ['line feeds of another kind', GOOD.replaceAll('\n', '\r\n')],
    ['a domain with a user', GOOD.replace('example.com wants', 'example.com@evil.example wants')],
    ['a domain with a path', GOOD.replace('example.com wants', 'example.com/path wants')],
    ['no colon after the account', GOOD.replace('account:', 'account')],
    ['no address', GOOD.replace(`${ADDRESS}\n`, '')],
    ['two addresses', GOOD.replace(ADDRESS, `${ADDRESS} ${ADDRESS}`)],
    ['a statement of two lines', GOOD.replace('Welcome.', 'Welcome.\nTwice.')],
    ['a character that cannot be seen', GOOD.replace('Welcome.', 'Wel\u200bcome.')],
    ['text that runs backwards', GOOD.replace('Welcome.', '\u202eWelcome.')],
    ['no URI', GOOD.replace('URI: https://example.com/login\n', '')],
    ['two URIs', GOOD.replace('Version: 1', 'URI: https://evil.example\nVersion: 1')],
    ['no version', GOOD.replace('Version: 1\n', '')],
    ['no nonce', GOOD.replace('Nonce: 0123456789abcdef\n', '')],
    ['two nonces', GOOD.replace('Issued At', 'Nonce: fedcba9876543210\nIssued At')],
    ['fields in another order', GOOD.replace('Version: 1\nChain ID: 1', 'Chain ID: 1\nVersion: 1')],
    ['no time of issue', GOOD.replace(/\nIssued At.*$/, '')],
    ['a time in words', GOOD.replace('2026-01-31T12:00:00.000Z', 'Sat, 31 Jan 2026 12:00:00 GMT')],
    ['a time without a zone', GOOD.replace('00.000Z', '00.000')],
    ['a day that does not exist', GOOD.replace('2026-01-31', '2026-02-30')],
    ['a request id with a space', `${GOOD}\nRequest ID: a b`],
    ['a resource that is no URI', `${GOOD}\nResources:\n- nothing`],
    ['a resource without its dash', `${GOOD}\nResources:\nhttps://example.com`],
    ['eleven resources', `${GOOD}\nResources:${'\n- https://example.com/a'.repeat(11)}`],
    ['more than 4096 characters', GOOD.replace('Welcome.', 'a'.repeat(MAX_MESSAGE_LENGTH))],
  ])('with %s is refused', (_, text) => {
    expect(() => parseSignInMessage(text)).toThrow(refused);
  });
});
