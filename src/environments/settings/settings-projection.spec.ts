import { describe, expect, it } from '@jest/globals';
import { compileProjection, type SettingsSchema } from './settings-projection.js';

const components: Record<string, SettingsSchema> = {
  Shelf: {
    type: 'object',
    properties: {
      label: { type: 'string' },
      builtAt: { type: ['string', 'null'], format: 'date-time' },
      code: { type: 'string', writeOnly: true },
      boards: { type: 'array', items: { $ref: '#/components/schemas/Shelf' } },
      sizes: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Size' } },
      extra: { type: 'object' },
    },
  },
  Size: { type: 'object', properties: { width: { type: 'number' } } },
};
const project = compileProjection(components, 'Shelf');

describe('a compiled projection', () => {
  it('follows schemas that refer to themselves', () => {
    const shelf = { label: 'a', boards: [{ label: 'b', dust: 1, boards: [{ code: '1', dust: 2 }] }] };
    expect(project(shelf)).toEqual({ label: 'a', boards: [{ label: 'b', boards: [{}] }] });
  });

  it('projects the values of maps and keeps free-form objects', () => {
    const shelf = { sizes: { top: { width: 1, dust: 2 } }, extra: { any: { thing: true } } };
    expect(project(shelf)).toEqual({ sizes: { top: { width: 1 } }, extra: { any: { thing: true } } });
  });

  it('keeps null and leaves out what is absent', () => {
    expect(project({ builtAt: null, label: undefined })).toEqual({ builtAt: null });
  });

  it('writes instants as ISO 8601', () => {
    expect(project({ builtAt: new Date('2026-01-02T03:04:05Z') })).toEqual({ builtAt: '2026-01-02T03:04:05.000Z' });
  });

  it.each([
    ['an object in place of a text', { label: { secret: 1 } }],
    ['a text in place of an object', { extra: 'text' }],
    ['an object in place of a list', { boards: { label: 'b' } }],
    ['a list in place of a map', { sizes: [1] }],
  ])('drops %s', (_name, shelf) => {
    expect(project(shelf)).toEqual({});
  });

  it('reads own fields only', () => {
    expect(project(Object.create({ label: 'inherited' }))).toEqual({});
  });

  it('is refused for a reference that names no component', () => {
    expect(() => compileProjection(components, 'Drawer')).toThrow('no schema is named Drawer');
  });
});
