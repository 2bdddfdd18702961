import { describe, expect, it } from '@jest/globals';
import { changedFields, compileFields, merged, secretFields, valuesOf, withField } from './settings-fields.js';
import type { SettingsSchema } from './settings-projection.js';

const components: Record<string, SettingsSchema> = {
  House: {
    type: 'object',
    properties: {
      name: { type: ['string', 'null'] },
      rooms: { type: 'array', items: { $ref: '#/components/schemas/Room' } },
      door: { $ref: '#/components/schemas/Door' },
      labels: { type: 'object', additionalProperties: { type: 'string' } },
    },
  },
  Room: { type: 'object', properties: { size: { type: 'number' } } },
  Door: {
    type: 'object',
    properties: { width: { type: 'number' }, code: { type: 'string', writeOnly: true }, bell: { type: 'boolean' } },
  },
};
const tree = compileFields(components, 'House');
const stored = { name: 'old', rooms: [{ size: 1 }, { size: 2 }], door: { width: 1, bell: true }, labels: { a: '1' } };

describe('settings laid over settings', () => {
  it.each<[string, unknown, unknown]>([
    ['nothing changes nothing', {}, stored],
    ['objects merge, at every level', { door: { width: 2 } }, { ...stored, door: { width: 2, bell: true } }],
    ['an empty object changes nothing', { door: {} }, stored],
    ['lists are replaced', { rooms: [{ size: 3 }] }, { ...stored, rooms: [{ size: 3 }] }],
    ['lists are emptied', { rooms: [] }, { ...stored, rooms: [] }],
    ['maps are replaced', { labels: { b: '2' } }, { ...stored, labels: { b: '2' } }],
    ['null takes the place of a value', { name: null }, { ...stored, name: null }],
    ['what nobody declared is kept for the validation', { attic: 1 }, { ...stored, attic: 1 }],
    ['zero has no sign', { door: { width: -0 } }, { ...stored, door: { width: 0, bell: true } }],
    ['a value of another kind is kept for the validation', { door: 'open' }, { ...stored, door: 'open' }],
  ])('%s', (_rule, sent, expected) => {
    const before = structuredClone(stored);
    expect(merged(tree, stored, sent)).toEqual(expected);
    expect(stored).toEqual(before);
  });

  it('make objects that were not there', () => {
    expect(merged(tree, {}, { door: { bell: false } })).toEqual({ door: { bell: false } });
  });
});

describe('the fields of settings', () => {
  it('are named with dots, lists and maps being one value', () => {
    expect([...valuesOf(tree, stored).keys()]).toEqual(['name', 'rooms', 'door.width', 'door.bell', 'labels']);
  });

  it('differ where their values do', () => {
    const after = { name: null, rooms: [{ size: 1 }], door: { width: 1, code: 'x' }, labels: { a: '1' } };
    expect(changedFields(tree, stored, after)).toEqual([
      { field: 'door.bell', before: true, after: undefined },
      { field: 'door.code', before: undefined, after: 'x' },
      { field: 'name', before: 'old', after: null },
      { field: 'rooms', before: stored.rooms, after: [{ size: 1 }] },
    ]);
  });

  it('are set and taken away one by one, in a copy', () => {
    expect(withField(stored, 'door.width', 9)).toEqual({ ...stored, door: { width: 9, bell: true } });
    expect(withField(stored, 'door.bell', undefined)).toEqual({ ...stored, door: { width: 1 } });
    expect(withField({}, 'a.b.c', 1)).toEqual({ a: { b: { c: 1 } } });
    expect(stored.door).toEqual({ width: 1, bell: true });
  });

  it('are secret where the schema says that they are only written', () => {
    expect(secretFields(tree)).toEqual(['door.code']);
  });

  it('are refused for a reference that names no component', () => {
    expect(() => compileFields(components, 'Garden')).toThrow('no schema is named');
  });
});
