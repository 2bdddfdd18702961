import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { newId } from '../common/ids.js';
import type { MovedRows } from '../database/index.js';
import { ArchiveWriter, type MemberDigest } from './archive-file.js';
import { ARCHIVE_FORMAT, ARCHIVE_VERSION, HEAD, MANIFEST, schemaOfArchive } from './archive-format.js';
import { ArchiveReader } from './archive-reader.js';
import type { MovingParts } from './moving-part.js';

const ROWS = '{"row":{"id":"1"}}\n{"row":{"id":"2"}}\n';
const HEAD_OF_USERS = {
  ...{ format: ARCHIVE_FORMAT, version: ARCHIVE_VERSION, environmentId: newId(), ...schemaOfArchive() },
  tables: [{ name: 'users', columns: ['id', 'email'], sealed: null }],
};

const HEAD_MEMBER = [HEAD, JSON.stringify(HEAD_OF_USERS)] as const;

/** How an archive differs from one that is in order. Its digests are right unless they are given. */
interface Difference {
  head?: object;
  members?: readonly (readonly [name: string, text: string])[];
  digests?: (members: readonly MemberDigest[]) => readonly MemberDigest[];
  behind?: string;
}

describe('an archive that is read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const reader = new ArchiveReader(
    { moving: [{}] } as unknown as MovingParts,
    { tableOf: () => 'users', columnsOf: () => ['id', 'email', 'alias'] } as unknown as MovedRows,
  );

  async function write(difference: Difference = {}, path = join(folder, newId())): Promise<string> {
    const { head = {}, digests = (members) => members, behind } = difference;
    const {
      members = [[HEAD, JSON.stringify({ ...HEAD_OF_USERS, ...head })] as const, ['users/000000.ndjson', ROWS]],
    } = difference;
    const archive = new ArchiveWriter(path);
    for (const [name, text] of members) await archive.add(name, text);
    await archive.add(MANIFEST, JSON.stringify({ members: digests([...archive.members]) }));
    if (behind) await archive.add(behind, ROWS);
    await archive.end();
    return path;
  }

  async function rowsOf(path: string, before: () => unknown = () => undefined): Promise<object[]> {
    const verified = await reader.verify(path);
    await before();
    const members: object[] = [];
    for await (const member of reader.members(verified)) members.push(member);
    return members;
  }

  it('gives its rows by member', async () => {
    const lines = ['{"row":{"id":"1"}}', '{"row":{"id":"2"}}'];
    expect(await rowsOf(await write())).toEqual([{ name: 'users/000000.ndjson', lines }]);
  });

  const columns = (...names: string[]) => ({ tables: [{ name: 'users', columns: names, sealed: null }] });
  it.each<[string, Difference, string]>([
    ['a member behind the manifest', { behind: 'users/000001.ndjson' }, 'goes on behind its manifest'],
    [
      'fewer members than the manifest names',
      { digests: (members) => [...members, members[1]!] },
      'Members of .* are missing',
    ],
    ['a member that the manifest does not name', { digests: (members) => members.slice(0, 1) }, 'was altered'],
    ['members in another order', { digests: ([head, rows]) => [rows!, head!] }, 'was altered'],
    [
      'more rows in a member than are written at once',
      { members: [HEAD_MEMBER, ['users/000000.ndjson', '\n'.repeat(501)]] },
      'users/000000.ndjson has more rows than a member may',
    ],
    ['no head', { members: [['users/000000.ndjson', ROWS]] }, 'does not begin with'],
    ['a head of another version', { head: { version: ARCHIVE_VERSION + 1 } }, 'in another format'],
    ['a column that this version lacks', { head: columns('id', 'colour') }, 'no place for colour of users'],
    ['a table that this version lacks', { head: { tables: [{ name: 'pets', columns: [] }] } }, 'no place for pets'],
    ['rows of a table that its head does not name', { head: { tables: [] } }, 'does not say what users/000000'],
    ['a head that is no JSON', { members: [[HEAD, '{']] }, 'a head or a manifest that cannot be read'],
  ])('is refused with %s', async (_, difference, problem) => {
    const verifying = reader.verify(await write(difference));
    await expect(verifying).rejects.toMatchObject({
      ...{ name: 'MovingRefusedError', message: expect.stringMatching(problem) },
    });
  });

  it('is refused when it is another one by the time its rows are read', async () => {
    const path = await write();
    const replaced = async (): Promise<void> => {
      rmSync(path);
      const head = JSON.stringify(HEAD_OF_USERS);
      await write(
        {
          members: [
            [HEAD, head],
            ['users/000000.ndjson', ROWS.replace('1', '3')],
          ],
        },
        path,
      );
    };
    await expect(rowsOf(path, replaced)).rejects.toThrow('was changed while it was read');
  });
});
