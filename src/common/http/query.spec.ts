import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../errors/index.js';
import { mayRepeat, parseQuery } from './query.js';

/** The name and fault of the parameter that a query is refused for. */
function refusal(text: string): unknown {
  try {
    return parseQuery(text);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.status).toBe(400);
    return (error.details.payload as { fields: { field: string; message: string }[] }).fields[0];
  }
}

describe('a query', () => {
  it.each<[string | undefined, object]>([
    [undefined, {}],
    ['', {}],
    ['a=1&b=x+y&c=%C3%A9&d', { a: '1', b: 'x y', c: 'é', d: '' }],
    ['filter[name]=a&filter[chain]=b&limit=1', { filter: { name: 'a', chain: 'b' }, limit: '1' }],
    ['a%5Bb%5D=1', { a: { b: '1' } }],
    ['a[b][c]=1&a[]=2&[a]=3', { 'a[b][c]': '1', 'a[]': '2', '[a]': '3' }],
    ['a.b=1', { 'a.b': '1' }],
  ])('%s is read as strings', (text, expected) => {
    expect({ ...parseQuery(text) }).toEqual(expected);
  });

  it.each([
    ['a=1&a=2', 'a'],
    ['a=1&a=1', 'a'],
    ['a[b]=1&a[b]=2', 'a[b]'],
    ['a=1&a[b]=2', 'a[b]'],
    ['a[b]=1&a=2', 'a'],
    ['a=1&%61=2', 'a'],
  ])('%s gives a parameter twice and is refused', (text, field) => {
    expect(refusal(text)).toEqual({ field, message: `${field} must be given once` });
  });

  it('is read as a list wherever a parameter may be repeated', () => {
    mayRepeat('contracts');
    const many = Array.from({ length: 60 }, (_, at) => `contracts=${at}`).join('&');
    expect({ ...parseQuery('contracts=a&b=1&contracts=c,d') }).toEqual({ contracts: 'a,c,d', b: '1' });
    expect(String(parseQuery(`a=1&${many}`)['contracts']).split(',')).toHaveLength(60);
    expect(refusal('contracts=a&b=1&b=2')).toMatchObject({ field: 'b' });
    expect(refusal('contracts[x]=a&contracts=b')).toMatchObject({ field: 'contracts' });
    expect(refusal('contracts=a&contracts=%00')).toMatchObject({ message: 'contracts must be plain text' });
  });

  it.each([
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
    ['prototype[a]=1', 'prototype'],
    ['toString=1', 'toString'],
    ['a[constructor]=1', 'a'],
    ['a[hasOwnProperty]=1', 'a'],
    ['a[prototype]=1', 'a'],
  ])('%s is refused for a reserved name', (text, field) => {
    expect(refusal(text)).toEqual({ field, message: `${field} is reserved` });
  });

  it('is refused by a name that is cut between characters', () => {
    const name = 'x'.repeat(99);
    expect(refusal(`${name}🦊=1&${name}🦊=2`)).toEqual({ field: name, message: `${name} must be given once` });
  });

  it('never reaches a prototype', () => {
    refusal('__proto__[polluted]=1');
    refusal('a[__proto__]=1');
    refusal('toString[call]=1');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(Object.getPrototypeOf(parseQuery('a=1'))).toBeNull();
    expect(Function.prototype.call).toBeInstanceOf(Function);
  });

  it('may not hold a NUL', () => {
    expect(refusal('a=%00')).toEqual({ field: 'a', message: 'a must be plain text' });
    expect(refusal('a[b]=x%00')).toMatchObject({ message: 'a[b] must be plain text' });
  });

  it('of 50 parameters is read and of 51 refused', () => {
    const parameters = (count: number): string => Array.from({ length: count }, (_, at) => `p${at}=1`).join('&');
    expect(Object.keys(parseQuery(parameters(49)))).toHaveLength(49);
    expect(Object.keys(parseQuery(parameters(50)))).toHaveLength(50);
    expect(refusal(parameters(51))).toMatchObject({ message: 'p50 too many parameters' });
  });

  it('is not repeated at length in its refusal', () => {
    const { field } = refusal(`${'n'.repeat(500)}=1&${'n'.repeat(500)}=2`) as { field: string };
    expect(field).toHaveLength(100);
  });
});
