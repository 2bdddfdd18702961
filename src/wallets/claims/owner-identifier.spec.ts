import { describe, expect, it } from '@jest/globals';
import type { CreateUserEmbeddedWalletsRequest } from '../record/embedded-wallet.dto.js';
import { frameUserOf, identifierOf } from './owner-identifier.js';

const fieldsOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    const { status, code, details } = error as { status: number; code: string; details: { payload?: object } };
    return { status, code, ...details.payload };
  }
};

describe('the user of an embedded wallet', () => {
  it.each<[CreateUserEmbeddedWalletsRequest, object]>([
    [
      { type: 'email', identifier: ' ana@example.com ' },
      { kind: 'email', value: 'ana@example.com' },
    ],
    [
      { type: 'externalUserId', identifier: 'A-1' },
      { kind: 'externalUserId', value: 'A-1' },
    ],
    [
      { type: 'id', identifier: 'an id' },
      { kind: 'id', value: 'an id' },
    ],
    [
      {
        type: 'phoneNumber',
        identifier: '044 668 18 00',
        smsCountryCode: { isoCountryCode: 'CH', phoneCountryCode: '41' },
      },
      { kind: 'phoneNumber', value: '044 668 18 00', country: { isoCountryCode: 'CH', phoneCountryCode: '41' } },
    ],
    [
      { type: 'socialAccountId', identifier: '7', socialProvider: 'github' },
      { kind: 'socialAccountId', value: '7', provider: 'github' },
    ],
    [
      { type: 'socialUsername', identifier: 'ana', socialProvider: 'twitter' },
      { kind: 'socialUsername', value: 'ana', provider: 'twitter' },
    ],
  ])('%j is named by an identifier', (request, identifier) => {
    expect(identifierOf(request)).toEqual(identifier);
  });

  it.each<[string, CreateUserEmbeddedWalletsRequest, string]>([
    ['no text', { type: 'email', identifier: '  ' }, 'identifier'],
    ['more than 255 characters', { type: 'externalUserId', identifier: 'a'.repeat(256) }, 'identifier'],
    ['no country', { type: 'phoneNumber', identifier: '+41446681800' }, 'smsCountryCode'],
    ['no provider of an account', { type: 'socialAccountId', identifier: '7' }, 'socialProvider'],
    [
      'a provider of codes',
      { type: 'socialAccountId', identifier: '7', socialProvider: 'emailOnly' },
      'socialProvider',
    ],
    [
      'a provider of wallets',
      { type: 'socialUsername', identifier: 'ana', socialProvider: 'zerodev' },
      'socialProvider',
    ],
    ['no provider of a name', { type: 'socialUsername', identifier: 'ana' }, 'socialProvider'],
  ])('with %s is refused by the name of the field', (_, request, field) => {
    expect(fieldsOf(() => identifierOf(request))).toEqual({
      status: 400,
      code: 'validation_failed',
      fields: [{ field, message: expect.stringContaining(field) }],
    });
  });

  it('may have a name of 255 characters', () => {
    const identifier = 'a'.repeat(255);
    expect(identifierOf({ type: 'externalUserId', identifier }).value).toBe(identifier);
  });
});

describe('the user of a frame server', () => {
  it('is known by account and email', () => {
    expect(frameUserOf({ email: 'ana@example.com', fid: 42, chains: ['EVM'] })).toEqual({
      account: { kind: 'socialAccountId', value: '42', provider: 'farcaster' },
      email: { kind: 'email', value: 'ana@example.com' },
    });
  });

  it.each([0, -1, 1.5, 2 ** 53, Infinity, NaN])('is refused with the fid %d', (fid) => {
    expect(fieldsOf(() => frameUserOf({ email: 'ana@example.com', fid, chains: [] }))).toMatchObject({
      status: 400,
      fields: [{ field: 'fid' }],
    });
  });

  it('is refused with an email beyond 255 characters', () => {
    const email = `${'a'.repeat(250)}@b.example`;
    expect(fieldsOf(() => frameUserOf({ email, fid: 1, chains: [] }))).toMatchObject({
      status: 400,
      fields: [{ field: 'email' }],
    });
  });
});
