import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowlistsImport } from '../../src/cli/allowlists.commands.js';
import { newId } from '../../src/common/ids.js';
import type { TestApp } from '../support/app.js';
import { sharedTestApp } from '../support/shared-app.js';
import { auditOf } from '../support/audit.js';
import { eventsOf, rowsOf } from '../support/rows.js';
import { World } from '../support/world.js';

const HEADER = 'email,walletPublicKey,frameappFid,alias';

describe('allowlists import', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-'));
  let test: TestApp;
  let world: World;

  beforeAll(async () => {
    test = await sharedTestApp();
    world = await World.create(test);
  });
  afterAll(async () => {
    await test.close();
    rmSync(folder, { recursive: true });
  });

  const newList = async (name: string): Promise<string> => {
    const body = { name, outcome: 'siteAccess' };
    return (await world.api.post<{ id: string }>(world.path('/allowlists'), body, { expect: 201 })).body.id;
  };
  const fileOf = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const csv = (...lines: string[]): string => fileOf(`${newId()}.csv`, [HEADER, ...lines, ''].join('\n'));

  async function run(allowlist: string, file: string): Promise<{ said: string; refused: string[] }> {
    const said = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    const refused = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    try {
      const words = ['--environment', world.environmentId, '--allowlist', allowlist, '--file', file];
      await allowlistsImport(test.app, words);
      return { said: String(said.mock.calls[0]?.[0]), refused: refused.mock.calls.map(([line]) => String(line)) };
    } finally {
      said.mockRestore();
      refused.mockRestore();
    }
  }
  const entriesOf = async (list: string): Promise<{ count: number; entries: Record<string, unknown>[] }> => {
    const path = `/allowlists/${list}/entries?limit=100`;
    return (await world.api.get<{ count: number; entries: Record<string, unknown>[] }>(path, { expect: 200 })).body;
  };

  it('adds the lines of a CSV file in normal form, and names rejected ones', async () => {
    const list = await newList('from a file');
    const file = csv(
      'Ann@Example.com,,,Ann',
      '"bob@example.com",0x52908400098527886e0f7030069857d2e4169ee7,,"Bob, the builder"',
      'ann@example.com,,,again',
      'no address,,,',
      ',,,nobody',
      ',0x52908400098527886E0F7030069857D2E4169ee7,,',
      ',,12,Cid',
      ',,1.5,',
    );
    const { said, refused } = await run(list, file);
    expect(said).toBe('3 added, 5 refused');
    expect(refused).toEqual([
      'line 4: is in the file already',
      expect.stringMatching(/^line 5: email /),
      'line 6: an entry names somebody by one field at least; an alias alone does not',
      'line 7: walletPublicKey: no address, or its EIP-55 checksum is wrong',
      expect.stringMatching(/^line 9: frameappFid /),
    ]);
    const { count, entries } = await entriesOf(list);
    expect([count, entries.map(({ id: _, allowListId: __, ...fields }) => fields)]).toEqual([
      3,
      [
        { email: 'ann@example.com', alias: 'Ann' },
        {
          email: 'bob@example.com',
          walletPublicKey: '0x52908400098527886E0F7030069857D2E4169EE7',
          alias: 'Bob, the builder',
        },
        { frameappFid: 12, alias: 'Cid' },
      ],
    ]);
    const [record] = await auditOf(test, world.ids.organizationId, { action: 'allowlist.entries.imported' });
    expect(record).toMatchObject({ actor: { kind: 'service' }, resourceId: list, environmentId: world.environmentId });
    const events = await eventsOf(test, world.environmentId, list);
    expect(events.at(-1)).toMatchObject({ name: 'allowlist.entries.imported', data: { id: list, added: 3 } });
  });

  it('run again adds what is missing, whoever ran it before and however far it got', async () => {
    const list = await newList('again');
    const lines = (count: number) => Array.from({ length: count }, (_, n) => `person-${n}@example.com,,,`);
    expect((await run(list, csv(...lines(700)))).said).toBe('700 added, 0 refused');
    const { said, refused } = await run(list, csv(...lines(1_300)));
    expect([said, refused.length]).toEqual(['600 added, 700 refused', 700]);
    expect(refused[0]).toBe('line 2: is on the list already');
    expect((await entriesOf(list)).count).toBe(1_300);
    // What is on one list may be put on another.
    expect((await run(await newList('another'), csv(...lines(2)))).said).toBe('2 added, 0 refused');
  });

  it('run concurrently adds each person once', async () => {
    const list = await newList('at once');
    const file = csv(...Array.from({ length: 300 }, (_, n) => `one-${n}@example.com,,,`));
    const muted = [jest.spyOn(console, 'log'), jest.spyOn(console, 'error')];
    for (const spy of muted) spy.mockImplementation(() => undefined);
    const words = ['--environment', world.environmentId, '--allowlist', list, '--file', file];
    const runs = await Promise.allSettled(Array.from({ length: 4 }, () => allowlistsImport(test.app, words)));
    for (const spy of muted) spy.mockRestore();
    expect(runs.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'fulfilled'));
    const [row] = await rowsOf<{ entries: number; counted: number }>(
      test,
      `SELECT (SELECT count(*)::int FROM allowlist_entries WHERE allowlist_id = $1) AS entries,
         (SELECT entry_count FROM allowlists WHERE id = $1) AS counted`,
      [list],
    );
    expect(row).toEqual({ entries: 300, counted: 300 });
  });

  it('reads a JSON list, and rejects invalid entries by number', async () => {
    const list = await newList('json');
    const items = [
      { email: 'dee@example.com' },
      7,
      { nickname: 'x' },
      { emailDomain: 'Example.ORG' },
      { frameappFid: 9 },
    ];
    const { said, refused } = await run(list, fileOf('list.json', JSON.stringify(items)));
    expect(said).toBe('3 added, 2 refused');
    expect(refused.map((line) => line.slice(0, 7))).toEqual(['line 2:', 'line 3:']);
    expect((await entriesOf(list)).entries.map(({ emailDomain }) => emailDomain)).toContain('example.org');
  });

  it('writes nothing if the list, the environment or the file is wrong', async () => {
    const list = await newList('nothing');
    const stranger = await World.create(test);
    await expect(run(newId(), csv())).rejects.toMatchObject({ code: 'not_found' });
    await expect(run(list, join(folder, 'nowhere.csv'))).rejects.toThrow('nowhere.csv cannot be read: ENOENT.');
    await expect(run(list, fileOf('no.json', '{"email":1}'))).rejects.toThrow('must hold a list of objects');
    await expect(run(list, fileOf('broken.json', '[{'))).rejects.toThrow('broken.json cannot be read');
    await expect(run(list, csv('"open'))).rejects.toThrow('cannot be read');
    const words = ['--environment', stranger.environmentId, '--allowlist', list, '--file', csv('e@example.com,,,')];
    await expect(allowlistsImport(test.app, words)).rejects.toMatchObject({ code: 'not_found' });
    expect((await entriesOf(list)).count).toBe(0);
  });
});
