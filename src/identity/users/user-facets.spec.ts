import { describe, expect, it } from '@jest/globals';
import { UserFacets } from './user-facets.js';

describe('the facets of a user', () => {
  it('become part of the selection', () => {
    const facets = new UserFacets();
    facets.register({ name: 'wallets', select: 'SELECT 1' });
    facets.register({ name: 'lists', select: 'SELECT 2' });
    expect(facets.selection).toBe(', (SELECT 1) AS "wallets", (SELECT 2) AS "lists"');
  });

  it('are none without contexts that keep any', () => {
    expect(new UserFacets().selection).toBe('');
  });

  it('cannot come after the first reading', () => {
    const facets = new UserFacets();
    expect(facets.selection).toBe('');
    expect(() => facets.register({ name: 'wallets', select: '1' })).toThrow('after the first user was read');
  });

  it.each(['wallets', 'Wallets', 'a"b', ''])('cannot be named %j when that is taken or no field', (name) => {
    const facets = new UserFacets();
    facets.register({ name: 'wallets', select: '1' });
    expect(() => facets.register({ name, select: '1' })).toThrow();
  });
});
