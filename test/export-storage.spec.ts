import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '../src/common/clock.js';
import { Config } from '../src/config/index.js';
import { probeStorage } from '../src/reporting/index.js';
import type { ExportStorage } from '../src/reporting/exports/storage/export-storage.js';
import { LocalExportStorage } from '../src/reporting/exports/storage/local-export-storage.js';
import { S3ExportStorage } from '../src/reporting/exports/storage/s3-export-storage.js';
import { ObjectStoreServer } from './support/object-store.js';

/** A process that does not stop. */
const never = (): boolean => false;

let folder: string;
let server: ObjectStoreServer;
const opened: S3ExportStorage[] = [];

const configOf = (address?: string): Config =>
  Config.load({ DATA_DIR: folder, ...(address !== undefined && { EXPORT_STORE: address }) });
const bucket = (address = server.address()): S3ExportStorage => {
  const storage = new S3ExportStorage(configOf(address).get('EXPORT_STORE')!, new Clock());
  opened.push(storage);
  return storage;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'export-storage-'));
  server = await ObjectStoreServer.start();
});
afterEach(() => {
  server.faults = [];
  server.faultBody = '<Error><Code>SlowDown</Code></Error>';
  server.objects.clear();
});
afterAll(async () => {
  for (const storage of opened) await storage.onApplicationShutdown();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

describe.each<[string, () => ExportStorage]>([
  ['a folder', () => new LocalExportStorage(configOf())],
  ['a bucket', () => bucket()],
])('%s for files of exports', (_, open) => {
  it('gives back what it was given last under a name, and null for a name it was not given', async () => {
    const storage = open();
    await storage.put('one/two/0-ab', Buffer.from([1, 2, 0xff]));
    await storage.put('one/two/0-ab', Buffer.from([3, 0, 0xfe]));
    expect(await storage.get('one/two/0-ab')).toEqual(Buffer.from([3, 0, 0xfe]));
    expect(await storage.get('one/two/1-ab')).toBeNull();
  });

  it('removes a folder, neither its neighbours nor what begins like it', async () => {
    const storage = open();
    for (const name of ['one/a/0', 'one/a/1', 'one/ab/0', 'two/a/0']) await storage.put(name, Buffer.from(name));
    await storage.remove('one/a');
    await storage.remove('one/a');
    expect(await storage.get('one/a/0')).toBeNull();
    expect(await storage.get('one/a/1')).toBeNull();
    expect((await storage.get('one/ab/0'))?.toString()).toBe('one/ab/0');
    expect((await storage.get('two/a/0'))?.toString()).toBe('two/a/0');
  });

  it('removes one part, also one that is not there, and none that begins like it', async () => {
    const storage = open();
    for (const name of ['one/a/0', 'one/a/01']) await storage.put(name, Buffer.from(name));
    await storage.removePart('one/a/0');
    await storage.removePart('one/a/0');
    expect([await storage.get('one/a/0'), (await storage.get('one/a/01'))?.toString()]).toEqual([null, 'one/a/01']);
    await storage.remove('one/a');
  });

  it('names the folders that have parts, each once', async () => {
    const storage = open();
    const folder = { environmentId: randomUUID(), exportId: randomUUID() };
    const part = (at: number): string =>
      `${folder.environmentId}/${folder.exportId}/${at}-${randomBytes(8).toString('hex')}`;
    for (const at of [0, 1]) await storage.put(part(at), Buffer.from('0'));
    const named: object[] = [];
    for await (const some of storage.folders()) named.push(...some);
    expect(named).toEqual([folder]);
    await storage.remove(`${folder.environmentId}/${folder.exportId}`);
  });

  it('removes what is older than a time, and nothing else', async () => {
    const storage = open();
    const part = `${randomUUID()}/${randomUUID()}/0-${randomBytes(8).toString('hex')}`;
    await storage.put(part, Buffer.from('0'));
    await storage.removeOlderThan(new Date(Date.now() - 600_000), never);
    expect(await storage.get(part)).not.toBeNull();
    await storage.removeOlderThan(new Date(Date.now() + 600_000), never);
    expect(await storage.get(part)).toBeNull();
  });

  it('removes no more of it once the process stops', async () => {
    const storage = open();
    const parts = Array.from(
      { length: 20 },
      () => `${randomUUID()}/${randomUUID()}/0-${randomBytes(8).toString('hex')}`,
    );
    for (const part of parts) await storage.put(part, Buffer.from('0'));
    let asked = 0;
    await storage.removeOlderThan(new Date(Date.now() + 600_000), () => ++asked > 1);
    const left = await Promise.all(parts.map((part) => storage.get(part)));
    expect(left.filter((part) => part === null).length).toBeGreaterThan(0);
    expect(left.filter((part) => part !== null).length).toBeGreaterThan(0);
    await storage.removeOlderThan(new Date(Date.now() + 600_000), never);
  });
});

describe('a folder', () => {
  it('that is a volume is swept, and what else stands in it is left alone', async () => {
    await mkdir(join(folder, 'exports/lost+found/kept'), { recursive: true });
    await writeFile(join(folder, 'exports/.notes'), '');
    const storage = new LocalExportStorage(configOf());
    const part = `${randomUUID()}/${randomUUID()}/0-ab`;
    await storage.put(part, Buffer.from('0'));
    const named: object[] = [];
    for await (const some of storage.folders()) named.push(...some);
    expect(named).toHaveLength(1);
    await storage.removeOlderThan(new Date(Date.now() + 600_000), never);
    expect(await storage.get(part)).toBeNull();
    expect(await readdir(join(folder, 'exports/lost+found'))).toEqual(['kept']);
  });

  it('is swept, though one of its folders goes between being listed and being looked at', async () => {
    const storage = new LocalExportStorage(configOf());
    const environmentId = randomUUID();
    const part = `${environmentId}/${randomUUID()}/0-ab`;
    await storage.put(part, Buffer.from('0'));
    // A link to nothing is listed, and is not there when it is looked at.
    await symlink('absent', join(folder, 'exports', environmentId, '0'));
    await storage.removeOlderThan(new Date(Date.now() + 600_000), never);
    expect(await storage.get(part)).toBeNull();
  });

  it('keeps nothing of a part that could not be written', async () => {
    // What stands where the part belongs is in its way, as a full disk would be.
    await mkdir(join(folder, 'exports/full/a/0-ab'), { recursive: true });
    await expect(new LocalExportStorage(configOf()).put('full/a/0-ab', Buffer.from('part'))).rejects.toThrow();
    expect(await readdir(join(folder, 'exports/full/a'))).toEqual(['0-ab']);
  });
});

describe('a bucket', () => {
  it('that others use as well loses nothing of theirs', async () => {
    const storage = bucket();
    await storage.put('backups/monday/0.dump', Buffer.from('x'));
    await storage.removeOlderThan(new Date(Date.now() + 600_000), never);
    expect(await storage.get('backups/monday/0.dump')).not.toBeNull();
    await storage.remove('backups/monday');
  });

  it('is emptied page by page', async () => {
    server.pageSize = 7;
    const storage = bucket();
    await Promise.all(Array.from({ length: 30 }, (_, at) => storage.put(`many/a/${at}`, Buffer.from('x'))));
    await storage.put('few/a/0', Buffer.from('x'));
    await storage.remove('many/a');
    server.pageSize = 1000;
    expect([...server.objects.keys()]).toEqual(['gatehouse/test/few/a/0']);
  });

  it('that is busy for a moment is asked again, and given up after three tries', async () => {
    const storage = bucket();
    server.faults = [503, 500];
    await storage.put('a/b/0', Buffer.from('x'));
    expect((await storage.get('a/b/0'))?.toString()).toBe('x');
    server.faults = [503, 503, 503];
    await expect(storage.get('a/b/0')).rejects.toThrow('The store of exports answers 503.');
  });

  it('takes no other page for an empty list, nor one that comes again for the next: files are removed or it fails', async () => {
    const storage = bucket();
    await storage.put('a/b/0', Buffer.from('x'));
    server.faults = [200];
    await expect(storage.remove('a/b')).rejects.toThrow('The store of exports answers no list.');
    expect(server.objects.size).toBe(1);
    for (const pages of [1, 2, 5]) {
      server.circle = pages;
      await expect(storage.remove('a/b')).rejects.toThrow('The store of exports answers no list.');
    }
    server.circle = 0;
    await storage.put('a/b/0', Buffer.from('x'));
    await storage.remove('a/b');
    expect(server.objects.size).toBe(0);
  });

  it.each([
    ['a page', '<html>We are back soon.</html>'],
    ['nothing', ''],
  ])('has not taken a part where %s is answered in its place', async (_, page) => {
    [server.faults, server.faultBody] = [[200], page];
    await expect(bucket().put('a/b/0', Buffer.from('x'))).rejects.toThrow('The store of exports answers no receipt.');
    expect(server.objects.size).toBe(0);
  });

  it('has not removed a part where a page is answered in its place', async () => {
    const storage = bucket();
    await storage.put('a/b/0', Buffer.from('x'));
    server.faults = [200];
    await expect(storage.removePart('a/b/0')).rejects.toThrow('The store of exports answers no receipt.');
    expect(server.objects.size).toBe(1);
  });

  it('refuses another secret, and says so without it', async () => {
    const before = server.refused;
    const fault = await bucket(server.address({ secret: 'hunter2' }))
      .put('a/b/0', Buffer.from('x'))
      .catch(String);
    expect(fault).toBe('Error: The store of exports answers 403.');
    expect(server.refused).toBe(before + 1);
    expect(server.objects.size).toBe(0);
  });

  it('is probed by the doctor: written, read and removed, or what went wrong', async () => {
    expect(await probeStorage(configOf(server.address()))).toBeNull();
    expect(server.objects.size).toBe(0);
    expect(await probeStorage(configOf(server.address({ bucket: 'another' })))).toContain('answers 404');
    expect(await probeStorage(configOf('http://id:secret@127.0.0.1:1/files'))).toMatch(/closed|refused|connect/i);
    expect(await probeStorage(configOf())).toBeNull();
  });

  it('is reached by the way of exports alone, and that way leads nowhere else', async () => {
    const storage = bucket();
    const { http } = storage as unknown as { http: { send(request: object): Promise<unknown> } };
    const elsewhere = { method: 'GET', url: server.address().replace(/^.*@127\.0\.0\.1:\d+/, 'http://127.0.0.1:9') };
    await expect(http.send(elsewhere)).rejects.toThrow('the URL may not be called');
  });
});
