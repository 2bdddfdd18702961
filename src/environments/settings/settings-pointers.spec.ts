import { describe, expect, it } from '@jest/globals';
import { leavesOf, withLeaves } from './settings-pointers.js';

const leaves = (document: object) => Object.fromEntries(leavesOf(document));

describe('the leaves of a document', () => {
  it('are its values by their pointers, lists and empty objects as one', () => {
    expect(leaves({ a: { b: 1, c: null }, list: [{ d: 2 }], none: {} })).toEqual({
      '/a/b': 1,
      '/a/c': null,
      '/list': [{ d: 2 }],
      '/none': {},
    });
  });

  it('keep names apart that hold slashes and tildes', () => {
    expect(leaves({ 'a/b': 1, a: { b: 2 }, '~1': 3 })).toEqual({ '/a~1b': 1, '/a/b': 2, '/~01': 3 });
  });
});

describe('a document', () => {
  /** From one document to another by the leaves in which they differ. */
  const brought = (from: object, to: object): object => {
    const [was, is] = [leavesOf(from), leavesOf(to)];
    const names = new Set([...was.keys(), ...is.keys()]);
    const changed = [...names].filter((name) => JSON.stringify(was.get(name)) !== JSON.stringify(is.get(name)));
    return withLeaves(from, new Map(changed.map((name) => [name, is.get(name)])));
  };
  const DOCUMENTS: object[] = [
    {},
    { a: {} },
    { a: 1 },
    { a: { b: {} } },
    { a: { b: { c: 1 } } },
    { a: { b: 1 }, d: [] },
    { a: { b: [{ c: 1 }] }, d: null },
    JSON.parse('{ "__proto__": { "a": 1 }, "constructor": { "b": 2 } }') as object,
    { '': { '/': 1, '~': 2 } },
  ];

  it.each(DOCUMENTS.flatMap((from) => DOCUMENTS.map((to) => [JSON.stringify(from), JSON.stringify(to)])))(
    'goes from %s to %s by its leaves',
    (from, to) => {
      expect(brought(JSON.parse(from), JSON.parse(to))).toEqual(JSON.parse(to));
    },
  );

  it('keeps what is not named, itself unchanged', () => {
    const before = { captcha: { siteKey: 'a', secretKey: 'hidden' }, other: 1 };
    const changes = new Map<string, unknown>([
      ['/captcha/siteKey', undefined],
      ['/captcha', {}],
    ]);
    expect(withLeaves(before, changes)).toEqual({ captcha: { secretKey: 'hidden' }, other: 1 });
    expect(before.captcha.siteKey).toBe('a');
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });
});
