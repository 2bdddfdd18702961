import { describe, expect, it } from '@jest/globals';
import { fieldChanges } from './field-changes.js';

describe('the fields in which two states differ', () => {
  it('leave out what is equal, dates and lists included', () => {
    const state = { a: 1, at: new Date(5), list: [{ x: new Date(1) }], inner: { b: 'x', c: null } };
    expect(fieldChanges(state, structuredClone(state))).toEqual([]);
  });

  it('are told with what was and what is, by name', () => {
    expect(fieldChanges({ name: 'a', size: 1, gone: true }, { size: 2, name: 'a', added: 'x' })).toEqual([
      { field: 'added', before: null, after: 'x' },
      { field: 'gone', before: true, after: null },
      { field: 'size', before: 1, after: 2 },
    ]);
  });

  it('are all fields of something that is new or gone', () => {
    const made = { id: 'x', tags: ['a'], none: null };
    expect(fieldChanges(null, made)).toEqual([
      { field: 'id', before: null, after: 'x' },
      { field: 'tags', before: null, after: ['a'] },
    ]);
    expect(fieldChanges(made, null).map(({ after }) => after)).toEqual([null, null]);
    expect(fieldChanges(null, null)).toEqual([]);
  });

  it('have dotted names below objects', () => {
    const before = { security: { jwt: { minutes: 5, leeway: 1 }, on: true } };
    const after = { security: { jwt: { minutes: 9, leeway: 1 }, on: true } };
    expect(fieldChanges(before, after)).toEqual([{ field: 'security.jwt.minutes', before: 5, after: 9 }]);
  });

  it('tell an object that takes the place of a plain value, or goes', () => {
    expect(fieldChanges({ a: 1 }, { a: { b: 2 } })).toEqual([
      { field: 'a', before: 1, after: null },
      { field: 'a.b', before: null, after: 2 },
    ]);
    expect(fieldChanges({ a: { b: 2 } }, { a: {} })).toEqual([
      { field: 'a', before: null, after: {} },
      { field: 'a.b', before: 2, after: null },
    ]);
  });

  it('compare lists as a whole, with the dates inside them', () => {
    expect(fieldChanges({ list: [1, 2] }, { list: [2, 1] })).toEqual([
      { field: 'list', before: [1, 2], after: [2, 1] },
    ]);
    const dates = fieldChanges({ list: [new Date(0)] }, { list: [new Date(1)] });
    expect(dates[0]?.after).toEqual(['1970-01-01T00:00:00.001Z']);
  });

  it('say nothing of when the record was last touched', () => {
    expect(fieldChanges({ updatedAt: new Date(0) }, { updatedAt: new Date(1) })).toEqual([]);
  });

  it('hide secrets by name, and still say that they changed', () => {
    const before = { clientSecret: 'old-s3cret', oauth: { token: 'old-t0ken' }, same: { password: 'p' } };
    const after = { clientSecret: 'new-s3cret', oauth: { token: null }, same: { password: 'p' } };
    const changes = fieldChanges(before, after);
    expect(changes).toEqual([
      { field: 'clientSecret', before: '[redacted]', after: '[redacted]' },
      { field: 'oauth.token', before: '[redacted]', after: '[redacted]' },
    ]);
    const listed = fieldChanges({ keys: [{ id: 1, apiKey: 'k1' }] }, { keys: [{ id: 1, apiKey: 'k2' }] });
    expect(listed).toEqual([
      { field: 'keys', before: [{ id: 1, apiKey: '[redacted]' }], after: [{ id: 1, apiKey: '[redacted]' }] },
    ]);
  });

  it('hide bytes and what writes itself as redacted, under any name', () => {
    const sealed = () => ({ toJSON: () => '[redacted]' });
    const same = sealed();
    expect(
      fieldChanges({ a: Buffer.from('1'), b: sealed(), c: same }, { a: Buffer.from('2'), b: sealed(), c: same }),
    ).toEqual([
      { field: 'a', before: '[redacted]', after: '[redacted]' },
      { field: 'b', before: '[redacted]', after: '[redacted]' },
    ]);
    expect(fieldChanges({ a: Buffer.from('1') }, { a: Buffer.from('1') })).toEqual([]);
    const hidden = [{ field: 'a', before: '[redacted]', after: '[redacted]' }];
    expect(fieldChanges({}, { a: sealed() })).toEqual(hidden);
    expect(fieldChanges({ a: Buffer.from('1') }, {})).toEqual(hidden);
    expect(fieldChanges(null, { list: [sealed(), Buffer.from('s')] })[0]?.after).toEqual(['[redacted]', '[redacted]']);
  });

  it('keep values up to 4 KB, and of longer ones the start, the length and a digest', () => {
    const [kept] = fieldChanges(null, { text: 'x'.repeat(4094) });
    expect(kept?.after).toHaveLength(4094);
    const [cut] = fieldChanges(null, { text: 'x'.repeat(4095) });
    expect(cut?.after).toEqual({
      truncated: `"${'x'.repeat(255)}`,
      bytes: 4097,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const [smiling] = fieldChanges(null, { text: '😀'.repeat(2000) });
    expect(JSON.stringify(smiling?.after)).not.toContain('\\ud83d');
  });
});
