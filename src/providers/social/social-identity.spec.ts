import { describe, expect, it } from '@jest/globals';
import { identityOf } from './social-identity.js';

const person = (more: object) => identityOf({ subject: '7', ...more }, null);

describe('an account at a provider', () => {
  it('has a name of at most 255 characters, cut between characters', () => {
    expect(person({ displayName: 'n'.repeat(255) }).displayName).toBe('n'.repeat(255));
    expect(person({ displayName: `${'n'.repeat(254)}\u{1F600}` }).displayName).toBe('n'.repeat(254));
    expect(person({ displayName: 'n'.repeat(60_000) }).displayName).toBe('n'.repeat(255));
  });

  it('has no user name, address or photo rather than a part of one', () => {
    const long = 'n'.repeat(60_000);
    expect(
      person({ username: long, email: `${long}@example.org`, photo: `https://example.org/${long}` }),
    ).toMatchObject({
      username: null,
      email: null,
      photos: [],
    });
    const photo = `https://example.org/${'n'.repeat(2_000)}`;
    expect(person({ username: 'n'.repeat(255), photo })).toMatchObject({ username: 'n'.repeat(255), photos: [photo] });
  });
});
