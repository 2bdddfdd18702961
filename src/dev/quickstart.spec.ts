import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printQuickstart, readQuickstart, writeQuickstart, type Quickstart } from './quickstart.js';

const quickstart: Quickstart = {
  api: 'http://localhost:3000/api/v0',
  docs: 'http://localhost:3000/docs',
  openapi: 'http://localhost:3000/openapi.json',
  inbox: 'http://localhost:3000/dev/inbox',
  catcher: 'http://localhost:3000/dev/webhooks',
  organizationId: 'organization',
  projectId: 'project',
  consoleEnvironmentId: 'console',
  environments: { sandbox: { id: 'sandbox', apiToken: 'token-s' }, live: { id: 'live', apiToken: 'token-l' } },
  dashboard: { email: 'owner@example.com', userToken: 'token-u' },
};

describe('quickstart.json', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse-quickstart-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is written whole, for its owner alone, and read back', () => {
    writeQuickstart(join(folder, 'data'), quickstart);
    expect(readQuickstart(join(folder, 'data'))).toEqual(quickstart);
    expect(statSync(join(folder, 'data/quickstart.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'data'))).toEqual(['quickstart.json']);
  });

  it('replaces what others may read, and a file left by a killed process', () => {
    for (const name of ['quickstart.json', `quickstart.json.${process.pid}`]) {
      writeFileSync(join(folder, name), 'old', { mode: 0o644 });
    }
    writeQuickstart(folder, quickstart);
    expect(JSON.parse(readFileSync(join(folder, 'quickstart.json'), 'utf8'))).toEqual(quickstart);
    expect(statSync(join(folder, 'quickstart.json')).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['absent', null],
    ['cut off', '{ "api": "http'],
    ['something else', '{}'],
    ['null', 'null'],
  ])('counts as none when it is %s', (_name, text) => {
    if (text !== null) writeFileSync(join(folder, 'quickstart.json'), text);
    expect(readQuickstart(folder)).toBeNull();
  });
});

describe('the printed quick start', () => {
  const lines = printQuickstart(quickstart).split('\n');

  it('shows every address, id and token', () => {
    const values = [
      ...Object.values(quickstart).filter((value) => typeof value === 'string'),
      ...Object.values(quickstart.environments).flatMap((environment) => Object.values(environment)),
      ...Object.values(quickstart.dashboard),
    ];
    expect(values).toHaveLength(14);
    for (const value of values) expect(lines.filter((line) => line.endsWith(`  ${value}`))).not.toEqual([]);
  });

  it('is aligned and plain', () => {
    const rows = lines.filter((line) => /^ {2}\S|^ {4}\S/.test(line));
    const columns = rows.map((line) => line.lastIndexOf('  ') + 2);
    expect(new Set(columns).size).toBe(1);
    expect(lines.join('')).not.toContain('\u001b');
  });
});
