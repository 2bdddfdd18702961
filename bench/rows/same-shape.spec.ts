import { describe, expect, it } from '@jest/globals';
import { differences, fieldsOf } from './same-shape.js';

describe('fieldsOf', () => {
  it('names fields with their way, and elements of a list by the list', () => {
    const names = fieldsOf({ user: { id: 1, wallets: [{ id: 2 }, { chain: 'EVM' }] } });
    expect(names).toEqual(
      new Set(['.user', '.user.id', '.user.wallets', '.user.wallets[].id', '.user.wallets[].chain']),
    );
  });
});

describe('differences', () => {
  it('has nothing to say of the same fields with other values', () => {
    expect(differences({ a: 1, list: [{ b: 2 }] }, { a: null, list: [{ b: 3 }, { b: 4 }] })).toBe('');
  });

  it('names what one side alone has', () => {
    expect(differences({ a: 1, c: { d: 1 } }, { a: 1, b: 2 })).toBe('only service: .c .c.d; only bare: .b');
  });
});
