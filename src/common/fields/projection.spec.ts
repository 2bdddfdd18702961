import { describe, expect, it } from '@jest/globals';
import { DateField, JsonField, ListField, RefField, StringField, StringListField, projectionOf } from './index.js';

class Part {
  @StringField() name!: string;
}
class Node {
  @StringField() id!: string;
  @RefField(() => Node, { optional: true }) next?: Node;
}
class Whole {
  @StringField() id!: string;
  @StringField({ nullable: true }) note!: string | null;
  @StringField({ optional: true }) hint?: string;
  @DateField({ optional: true }) at?: Date;
  @RefField(() => Part, { optional: true, nullable: true }) part?: Part | null;
  @ListField(() => Part, { optional: true }) parts?: Part[];
  @StringListField({ optional: true }) names?: string[];
  @JsonField({ optional: true }) json?: Record<string, unknown>;
}
class Wider extends Whole {
  @StringField() more!: string;
}

const project = projectionOf(Whole);

describe('a projection', () => {
  it('drops what is not declared, at every depth', () => {
    const secret = { passwordHash: 'x', __proto__: { id: 'inherited' } };
    const row = { ...secret, id: 'a', note: 'b', part: { name: 'c', ...secret }, parts: [{ name: 'd', ...secret }] };
    expect(project(row)).toStrictEqual({ id: 'a', note: 'b', part: { name: 'c' }, parts: [{ name: 'd' }] });
  });

  it('leaves absent and undefined fields absent', () => {
    expect(Object.keys(project({ id: 'a', hint: undefined }) as object)).toEqual(['id']);
  });

  it('keeps null where it is declared and drops it elsewhere', () => {
    expect(project({ id: 'a', note: null, hint: null, part: null, parts: null })).toStrictEqual({
      id: 'a',
      note: null,
      part: null,
    });
  });

  it('carries free-form values as they are', () => {
    const json = { any: [{ thing: 1 }] };
    expect(project({ id: 'a', json, names: ['b'] })).toStrictEqual({ id: 'a', json, names: ['b'] });
  });

  it('writes dates as JSON does, and one that is none as null', () => {
    const at = new Date('2026-01-01T00:00:00Z');
    for (const date of [at, new Date(NaN)]) {
      expect(JSON.stringify(project({ at: date }))).toBe(JSON.stringify({ at: date }));
    }
    expect(project({ at })).toStrictEqual({ at: '2026-01-01T00:00:00.000Z' });
  });

  it('writes a date that came as text in ISO 8601', () => {
    expect(project({ at: '2026-01-01 02:00:00+02' })).toStrictEqual({ at: '2026-01-01T00:00:00.000Z' });
  });

  it('follows a class that refers to itself', () => {
    const chain = { id: 'a', x: 1, next: { id: 'b', x: 1, next: { id: 'c', x: 1 } } };
    expect(projectionOf(Node)(chain)).toStrictEqual({ id: 'a', next: { id: 'b', next: { id: 'c' } } });
  });

  it('has the fields of the parents of its class, which do not gain its own', () => {
    const row = { id: 'a', note: null, more: 'b' };
    expect(projectionOf(Wider)(row)).toStrictEqual(row);
    expect(project(row)).toStrictEqual({ id: 'a', note: null });
  });

  it('is built once for a class', () => {
    expect(projectionOf(Whole)).toBe(project);
  });
});
