import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDocument } from './support/contract/openapi-document.js';
import { sampleDocument } from './support/contract/sample-document.js';
import {
  NEVER_ANSWERED,
  noteAnswers,
  seenIn,
  unseenAnswers,
  unseenReport,
  wronglyNamed,
} from './support/seen/seen-answers.js';

describe('answers that tests have seen', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-seen-'));
  const file = join(folder, 'seen.txt');
  const before = process.env['GATEHOUSE_TEST_SEEN'];
  let server: Server;

  beforeAll(async () => {
    process.env['GATEHOUSE_TEST_SEEN'] = file;
    server = createServer((request, response) => {
      // As routers do, which cut off what they have matched.
      const status = Number(request.headers['x-status']);
      request.url = '/';
      response.writeHead(status).end();
    });
    noteAnswers(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    if (before === undefined) delete process.env['GATEHOUSE_TEST_SEEN'];
    else process.env['GATEHOUSE_TEST_SEEN'] = before;
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('are noted once, by operation and status, with whatever values their paths have', async () => {
    const { port } = server.address() as AddressInfo;
    const ask = (path: string, status: number) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-status': String(status) } });
    for (const [path, status] of [
      ['/api/v0/organizations', 200],
      ['/api/v0/organizations?a=1', 200],
      ['/api/v0/organizations', 401],
      ['/api/v0/environments/some/users', 404],
      ['/api/v0/nothing', 404],
      ['/docs', 200],
    ] as const)
      await ask(path, status);
    const organizations = ['getOrganizationsForMember 200', 'getOrganizationsForMember 401'];
    expect([...seenIn(file)].toSorted()).toEqual(['getEnvironmentUsers 404', ...organizations]);
  });

  it('are told from those of the document that nobody has seen', () => {
    const document = sampleDocument();
    const all = unseenAnswers(document, new Set());
    const pairs = [...all].flatMap(([status, operations]) => operations.map((id) => `${id} ${status}`));
    expect(pairs).toEqual(expect.arrayContaining(['addDoor 201', 'addDoor 422', 'listDoors 302']));
    const seen = new Set(pairs.filter((pair) => pair !== 'addDoor 422'));
    expect([...unseenAnswers(document, seen)]).toEqual([['422', ['addDoor']]]);
    expect([...unseenAnswers(document, new Set(pairs))]).toEqual([]);
  });

  it('are reported of a file that a run has written, and of no other', () => {
    const document = sampleDocument();
    const all = [...unseenAnswers(document, new Set())];
    const lines = all.flatMap(([status, ids]) => ids.map((id) => `${id} ${status}\n`));
    const written = join(folder, 'written.txt');
    const reportOf = (text: string, named = {}) => {
      writeFileSync(written, text);
      return unseenReport(document, seenIn(written), named);
    };
    const none = 'Answers of the document that no test has seen: 0.\n';
    expect(reportOf(lines.join(''))).toEqual({ text: none, isComplete: true });
    const others = lines.filter((line) => line !== 'addDoor 422\n').join('');
    const one = '422: 1\n  addDoor\nAnswers of the document that no test has seen: 1.\n';
    expect(reportOf(others)).toEqual({ text: one, isComplete: false });
    expect(reportOf(others, { 'no way to it': ['addDoor 422'] })).toEqual({ text: none, isComplete: true });
    const given = reportOf(lines.join(''), { 'no way to it': ['addDoor 422'] });
    expect(given).toEqual({
      text: expect.stringContaining('is given or declared nowhere: addDoor 422'),
      isComplete: true,
    });
    for (const text of ['', '\n']) expect(() => reportOf(text)).toThrow('names no answer');
    expect(() => seenIn(join(folder, 'absent.txt'))).toThrow('names no answer');
    expect(() => reportOf(`${lines.join('')}addDoor 20addDoor 422\n`)).toThrow('addDoor 20addDoor 422');
  });

  it('may be missing where a reason is named, which goes when one is given or declared no more', () => {
    const document = sampleDocument();
    const named = { 'nothing leads to it': ['addDoor 422'] };
    expect([...unseenAnswers(document, new Set(), named)].flatMap(([, ids]) => ids)).not.toContain('addDoor 422');
    expect([...unseenAnswers(document, new Set(), named).keys()]).toContain('302');
    expect(wronglyNamed(document, new Set(), named)).toEqual([]);
    expect(wronglyNamed(document, new Set(['addDoor 422']), named)).toEqual(['addDoor 422']);
    expect(wronglyNamed(document, new Set(), { 'no such answer': ['addDoor 418'] })).toEqual(['addDoor 418']);
  });

  it('that no run gives are declared, each for one reason, and those for the sake of the contract stand in it', () => {
    const read = (name: string) => readDocument(new URL(name, import.meta.url));
    const pairs = Object.values(NEVER_ANSWERED).flat();
    expect(wronglyNamed(read('../openapi.json'), new Set(), NEVER_ANSWERED)).toEqual([]);
    expect(pairs.filter((pair, at) => pairs.indexOf(pair) !== at)).toEqual([]);
    const ofContract = Object.entries(NEVER_ANSWERED).flatMap(([reason, own]) => (/contract/.test(reason) ? own : []));
    expect(wronglyNamed(read('./contract/openapi.json'), new Set(), { contract: ofContract })).toEqual([]);
    expect(pairs.length).toBeLessThan(150);
  });
});
