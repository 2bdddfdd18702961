import { describe, expect, it } from '@jest/globals';
import { identifierKeyOf } from '../../credentials/identifier-key.js';
import { admittedIdentifiers, decide } from './admitted-identifiers.js';
import type { ShownIdentifier } from './proof.js';

const email = { kind: 'email', value: 'ana@example.com' } as const;
const account = { kind: 'socialAccountId', value: '7', provider: 'google' } as const;
const name = { kind: 'socialUsername', value: 'ana', provider: 'twitter' } as const;
const wallet = { kind: 'wallet', value: '0xAbCd', chain: 'EVM' } as const;
const passkey = { kind: 'passkey', value: 'a2V5' } as const;
const subject = { kind: 'foreignSubject', value: '7', issuer: 'https://id.example.com' } as const;
const phone = { kind: 'phoneNumber', value: '+41446681800' } as const;
const external = { kind: 'externalUserId', value: 'u-1' } as const;

describe('an identifier of a proof', () => {
  it.each<[ShownIdentifier['identifier'], ShownIdentifier['strength'], string]>([
    [email, 'proven', 'use'],
    [email, 'vouched', 'use'],
    [email, 'stated', 'drop'],
    [phone, 'proven', 'use'],
    [phone, 'stated', 'drop'],
    [account, 'proven', 'use'],
    [account, 'stated', 'drop'],
    [name, 'proven', 'drop'],
    [name, 'vouched', 'drop'],
    [name, 'stated', 'drop'],
    [wallet, 'proven', 'use'],
    [wallet, 'stated', 'drop'],
    [passkey, 'proven', 'use'],
    [passkey, 'stated', 'drop'],
    [subject, 'proven', 'use'],
    [subject, 'stated', 'drop'],
    [external, 'proven', 'use'],
    [external, 'stated', 'drop'],
  ])('%j that is %s: %s', (identifier, strength, decision) => {
    expect(decide({ identifier, strength }, identifierKeyOf(identifier))).toBe(decision);
  });

  it('counts in the order of the proof, without those that are only stated', () => {
    const admitted = admittedIdentifiers([
      { identifier: email, strength: 'stated' },
      { identifier: account, strength: 'proven' },
      { identifier: name, strength: 'proven' },
      { identifier: phone, strength: 'proven' },
    ]);
    expect(admitted.map(({ key }) => key.kind)).toEqual(['socialAccountId', 'phoneNumber']);
  });

  it('refuses a proof of which nothing is left', () => {
    const refused = expect.objectContaining({ status: 422, code: 'weak_proof' });
    expect(() => admittedIdentifiers([{ identifier: email, strength: 'stated' }])).toThrow(refused);
    expect(() => admittedIdentifiers([{ identifier: name, strength: 'proven' }])).toThrow(refused);
  });
});
