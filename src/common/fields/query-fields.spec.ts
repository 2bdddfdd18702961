import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { ApiError } from '../errors/index.js';
import { parseQuery } from '../http/query.js';
import { validationPipe } from '../http/validation.pipe.js';
import { StringField } from './index.js';
import { QueryBoolean, QueryGroup, QueryInteger } from './query-fields.js';

class Filter {
  @StringField()
  column!: string;
}

class Query {
  @QueryInteger({ optional: true, min: 1, max: 100, default: 20 })
  limit?: number;

  @QueryBoolean({ optional: true })
  verbose?: boolean;

  @QueryGroup(() => Filter, { optional: true })
  filter?: Filter;
}

const read = (text: string): Promise<unknown> =>
  validationPipe().transform(parseQuery(text), { type: 'query', metatype: Query });

describe('a query string', () => {
  it.each([
    ['', {}],
    ['limit=1', { limit: 1 }],
    ['limit=100&verbose=true', { limit: 100, verbose: true }],
    ['verbose=false', { verbose: false }],
    ['filter[column]=email', { filter: { column: 'email' } }],
  ])('%j becomes %j', async (text, expected) => {
    const query = await read(text);
    expect(query).toBeInstanceOf(Query);
    expect(query).toEqual(expected);
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=',
    'limit=1.5',
    'limit=1e1',
    'limit=0x10',
    'limit= 1',
    'limit=9999999999999999',
    'limit[a]=1',
    'verbose=1',
    'verbose=TRUE',
    'verbose=',
    'verbose=toString',
    'filter=email',
    'filter[colour]=red',
    'filter[column]=a&filter[other]=b',
    'other=1',
  ])('%s is refused', async (text) => {
    await expect(read(text)).rejects.toThrow(ApiError);
  });
});
