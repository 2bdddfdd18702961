import { describe, expect, it } from '@jest/globals';
import { parseSignInMessage } from '../../messages/sign-in-message.js';
import { readFrameMessage } from './frame-message.js';

const CLAIM = { domain: 'example.com', nonce: '0123456789abcdef' };
const LINES = [
  'example.com wants you to sign in with your Ethereum account:',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '',
  'Farcaster Auth',
  '',
  'URI: https://example.com/login',
  'Version: 1',
  'Chain ID: 10',
  'Nonce: 0123456789abcdef',
  'Issued At: 2026-01-31T12:00:00Z',
  'Resources:',
  '- farcaster://fid/4242',
];
const read = (change: (text: string) => string, claim = CLAIM) =>
  readFrameMessage(parseSignInMessage(change(LINES.join('\n'))), claim);

describe('a message of the frame network', () => {
  it('names one account', () => {
    expect(read((text) => text)).toEqual({ fid: '4242' });
    expect(read((text) => text.replace('Auth', 'Connect'))).toEqual({ fid: '4242' });
    expect(read((text) => `${text}\n- https://example.com/terms`)).toEqual({ fid: '4242' });
  });

  it.each<[string, (text: string) => string, Partial<typeof CLAIM>]>([
    ['another domain than the request', (text) => text, { domain: 'other.example' }],
    ['another nonce than the request', (text) => text, { nonce: 'fedcba9876543210' }],
    ['another chain', (text) => text.replace('ID: 10', 'ID: 1'), {}],
    ['no chain', (text) => text.replace('Chain ID: 10\n', ''), {}],
    ['another statement', (text) => text.replace('Farcaster Auth', 'Welcome.'), {}],
    ['no statement', (text) => text.replace('Farcaster Auth\n\n', ''), {}],
    ['no account', (text) => text.replace('farcaster://fid/4242', 'https://example.com'), {}],
    ['two accounts', (text) => `${text}\n- farcaster://fid/1`, {}],
    ['an account that is no number', (text) => text.replace('4242', '4x'), {}],
    ['the account zero', (text) => text.replace('4242', '0'), {}],
  ])('with %s is refused', (_, change, claim) => {
    expect(read(change, { ...CLAIM, ...claim })).toEqual({ problem: expect.any(String) });
  });
});
