import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { operationsOf, type OpenApiDocument } from '../document-types.js';

const { resolveSubtree } = (await import(new URL('./subtrees.js', import.meta.url).href)) as {
  resolveSubtree: (document: unknown, path: readonly string[], base: string) => unknown;
};

const BASE = 'https://x/docs';
const DOCUMENT = {
  paths: { '/a': { get: { schema: { $ref: '#/components/schemas/Person' } } } },
  components: {
    schemas: {
      Person: {
        type: 'object',
        properties: {
          name: { $ref: '#/components/schemas/Name', description: 'beside' },
          all: { type: 'array', items: [{ $ref: '#/components/schemas/a~1b%20c' }, null, 1] },
          friend: { $ref: '#/components/schemas/Person' },
        },
      },
      Name: { type: 'string', description: 'of its own', $$ref: 'old' },
      'a/b c': { type: 'integer' },
      Both: {
        allOf: [
          { $ref: '#/components/schemas/Person' },
          { type: 'object', properties: { age: { type: 'integer' } }, required: ['age'] },
        ],
        required: ['age', 'name'],
        description: 'both',
      },
    },
  },
};
const referenceTo = (name: string): string => `${BASE}#/components/schemas/${name}`;
const resolve = (...path: string[]) => resolveSubtree(DOCUMENT, path, BASE);

describe('a part of a document', () => {
  it('has what its references lead to, and says where that was from', () => {
    expect(resolve('paths', '/a', 'get')).toEqual({
      schema: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'beside', $$ref: referenceTo('Name') },
          all: { type: 'array', items: [{ type: 'integer', $$ref: referenceTo('a~1b%20c') }, null, 1] },
          friend: { $ref: '#/components/schemas/Person' },
        },
        $$ref: referenceTo('Person'),
      },
    });
  });

  it('has the parts of a schema in one: properties and lists of all, else what the last one says', () => {
    expect(resolve('components', 'schemas', 'Both')).toMatchObject({
      type: 'object',
      description: 'both',
      required: ['age', 'name'],
      properties: { age: { type: 'integer' }, name: { type: 'string' } },
    });
    expect(resolve('components', 'schemas', 'Both')).not.toHaveProperty('$$ref');
  });

  it('is nothing where there is none, or where a reference leads nowhere', () => {
    expect(resolve('paths', '/b', 'get')).toBeUndefined();
    const lost = { a: { $ref: '#/b' } };
    expect(resolveSubtree(lost, ['a'], BASE)).toEqual({ $$ref: `${BASE}#/b` });
  });

  it('leaves the document as it was, of which every operation is resolved to the end', () => {
    const text = readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8');
    const document = JSON.parse(text) as OpenApiDocument;
    const found = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item ?? {}).map((method) => resolveSubtree(document, ['paths', path, method], BASE)),
    );
    expect(found.length).toBeGreaterThanOrEqual(operationsOf(document).length);
    expect(JSON.stringify(found)).not.toContain('"$ref"');
    expect(document).toEqual(JSON.parse(text));
  });
});
