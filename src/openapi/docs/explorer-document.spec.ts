import { describe, expect, it } from '@jest/globals';
import type { OpenApiDocument, Operation, Parameter } from '../document-types.js';
import { type Examples, explorerDocument } from './explorer-document.js';

const KINDS: NonNullable<Parameter['schema']> = { type: 'string', enum: ['pending', 'accepted'] };
const asked = (name: string, rest: Partial<Parameter> = {}): Parameter => ({
  name,
  in: 'query',
  required: true,
  schema: { $ref: '#/components/schemas/Kinds' },
  ...rest,
});

describe('the document of the explorer', () => {
  it('chooses what the explorer shows as chosen: the first value of a required list', () => {
    const parameters = [
      asked('named'),
      asked('written', { schema: KINDS }),
      asked('optional', { required: false }),
      asked('text', { schema: { type: 'string' } }),
    ];
    const plain = {
      openapi: '3.0.0',
      info: { title: '', version: '' },
      paths: {
        '/invites': {
          get: { operationId: 'getInvites', parameters, responses: {} },
          delete: { operationId: 'deleteInvites', parameters, responses: {} },
        },
      },
      components: { schemas: { Kinds: KINDS } },
    } as unknown as OpenApiDocument;
    const document = explorerDocument(plain, { path: {}, errorPages: '' } as unknown as Examples);
    const filled = (operation: Operation | undefined) =>
      (operation!.parameters as Parameter[]).map(({ example }) => example as unknown);
    const { get, delete: removal } = document.paths['/invites']!;
    expect(filled(get)).toEqual(['pending', 'pending', undefined, undefined]);
    // What to delete is never filled in.
    expect(filled(removal)).toEqual([undefined, undefined, undefined, undefined]);
  });
});
