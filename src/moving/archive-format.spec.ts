import { describe, expect, it } from '@jest/globals';
import { MIGRATIONS } from '../database/index.js';
import { newId } from '../common/ids.js';
import { ARCHIVE_FORMAT, ARCHIVE_VERSION, parseHead, schemaOfArchive } from './archive-format.js';

const NAMES = MIGRATIONS.map(({ name }) => name);
const LAST = NAMES.at(-1)!;

const headWith = (schema: object): Buffer =>
  Buffer.from(
    JSON.stringify({ format: ARCHIVE_FORMAT, version: ARCHIVE_VERSION, environmentId: newId(), tables: [], ...schema }),
  );

describe('the head of an archive', () => {
  it('is read by the version that writes it', () => {
    expect(parseHead(headWith(schemaOfArchive())).migrations).toEqual(NAMES);
  });

  it.each([
    ['of an older version', { migration: LAST, migrations: NAMES.slice(0, -3) }],
    ['of a version that named the last migration alone', { migration: NAMES[3] }],
  ])('is read where it is %s', (_, schema) => {
    expect(() => parseHead(headWith(schema))).not.toThrow();
  });

  it('is refused where it is of a newer version, whatever migration of an extension is the last', () => {
    const schema = { migration: LAST, migrations: [...NAMES.slice(0, -1), 'AddColours20990101000000', LAST] };
    expect(() => parseHead(headWith(schema))).toThrow('lacks: AddColours20990101000000. Update');
  });

  it('is refused by what is lacking, which may be an extension', () => {
    const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];
    const schema = { migration: 'G', migrations: [...NAMES, ...names] };
    expect(() => parseHead(headWith(schema))).toThrow('lacks: A, B, C, D, E and 2 more. Update');
    expect(() => parseHead(headWith({ migration: 'G' }))).toThrow('or list the extensions that they belong to');
  });
});
