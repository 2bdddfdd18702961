import { describe, expect, it } from '@jest/globals';
import type { FullUser, VerifiedCredential } from '../../identity/index.js';
import { readEntry } from '../allowlists/entry-keys.js';
import { entryKeysOf, walletsOf } from './known-identities.js';

const verifiedAt = new Date('2026-01-01T00:00:00Z');
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const email = { format: 'email', email: 'Ann@team.example' };
const phone = { format: 'phoneNumber', public_identifier: '+41446681800' };
const wallet = { format: 'blockchain', chain: 'eip155', address: ADDRESS };
const account = (oauth_provider: string, oauth_username: string) => ({
  ...{ format: 'oauth', oauth_provider, oauth_username },
  oauth_account_id: '7',
});

const userWith = (...verifiedCredentials: object[]): FullUser =>
  ({ verifiedCredentials: verifiedCredentials as VerifiedCredential[] }) as FullUser;
const proven = (credential: object): object => ({ ...credential, verifiedAt });
const keysOf = (entry: object): string[] => (readEntry(entry) as { keys: string[] }).keys;

describe('an allowlist knows a user', () => {
  it.each([
    [email, ['email:ann@team.example', 'emailDomain:team.example']],
    [phone, ['phoneNumber:+41446681800']],
    [wallet, [`wallet:${ADDRESS.toLowerCase()}`]],
    [{ format: 'externalUser', public_identifier: 'crm-7' }, ['externalUserId:crm-7']],
    [account('discord', 'Ann'), ['discordUsername:ann']],
    [account('twitter', 'Ann'), ['twitterUsername:ann']],
    [account('farcaster', 'Ann'), ['frameappFid:7', 'frameappUsername:ann']],
    [account('github', 'Ann'), []],
  ])('by %j once it is proven, and not before', (credential, keys) => {
    expect(entryKeysOf(userWith(proven(credential)))).toEqual(keys);
    expect(entryKeysOf(userWith(credential))).toEqual([]);
  });

  it.each([
    ['BTC', 'bip122', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['Sui', 'sui', `0x${'ab'.repeat(32)}`],
    ['Aptos', 'aptos', `0x${'0c'.repeat(32)}`],
    ['Cosmos', 'cosmos', 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh'],
  ])('by an address of %s, in whichever case an entry has it', (_, chain, address) => {
    const keys = entryKeysOf(userWith(proven({ format: 'blockchain', chain, address })));
    const entries = [address, address.toUpperCase(), address.toUpperCase().replace(/^0X/, '0x')];
    for (const walletPublicKey of entries) expect(keys).toEqual(expect.arrayContaining(keysOf({ walletPublicKey })));
  });

  it.each([
    ['Solana', 'solana', '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'],
    ['legacy Bitcoin', 'bip122', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
  ])('by an address of %s exactly as it is written', (_, chain, address) => {
    expect(entryKeysOf(userWith(proven({ format: 'blockchain', chain, address })))).toEqual([`wallet:${address}`]);
    expect(readEntry({ walletPublicKey: address })).toMatchObject({ keys: [`wallet:${address}`] });
  });

  it('by the id that a server gave them', () => {
    expect(entryKeysOf({ ...userWith(), externalUserId: 'crm-7' })).toEqual(['externalUserId:crm-7']);
  });
});

describe('a gate reads the wallets of a user', () => {
  it('that are proven or embedded, each once, and no other', () => {
    const other = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
    const embedded = { ...wallet, address: other, wallet_properties: {} };
    const user = userWith(proven(wallet), proven({ ...wallet, address: ADDRESS.toLowerCase() }), embedded);
    expect(walletsOf(user)).toEqual([
      { chain: 'EVM', address: ADDRESS },
      { chain: 'EVM', address: other },
    ]);
    expect(walletsOf(userWith(wallet, proven(email)))).toEqual([]);
  });

  it('on the one network where theirs is, where it is on one alone', () => {
    expect(walletsOf(userWith(proven({ ...wallet, contract_network: 137 })))).toEqual([
      { chain: 'EVM', address: ADDRESS, networkId: 137 },
    ]);
  });
});
