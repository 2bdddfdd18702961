import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { settingsTable } from '../src/config/settings-table.js';
import { numberSetting, optionalText } from '../src/config/setting.js';
import { readDocument, type OpenApiDoc } from './support/contract/openapi-document.js';
import { anchorsOf, fencesOf, linksIn, pathsIn, scriptsIn } from './support/readme/commands.js';
import { findSection, generatedSections, withSections } from './support/readme/generated-sections.js';
import { decisionRows } from '../src/identity/linking/decisions.js';
import { withDecisions } from './support/readme/linking-page.js';
import { operationsPage } from './support/readme/operations-page.js';
import { operationsTable } from './support/readme/operations-table.js';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');
const documents = [...globSync('*.md', { cwd: root }), ...globSync('docs/{,decisions/}*.md', { cwd: root })].sort();

describe('the README', () => {
  it('starts with the title, one sentence and the one command', () => {
    const lines = readme.split('\n');
    expect(lines[0]).toBe('# Gatehouse');
    expect(lines[2]).toMatch(/^[^.]+\.$/);
    expect(fencesOf(readme)[0]).toMatchObject({ language: 'sh', text: 'npm ci && npm start\n', line: 5 });
  });

  it('holds exactly the tables that the code makes', () => {
    const sections = generatedSections();
    expect(Object.keys(sections)).toEqual(['operations', 'settings']);
    for (const [name, section] of Object.entries(sections)) expect(findSection(readme, name)).toBe(section);

    const stale = withSections(readme, { settings: 'an older table' });
    expect(findSection(stale, 'settings')).toBe('an older table');
    expect(withSections(stale, sections)).toBe(readme);
    expect(() => withSections('no markers', sections)).toThrow('operations');
  });

  it('shows what the start prints, line by line', async () => {
    const { printQuickstart } = await import('../src/dev/quickstart.js');
    const environment = { id: '…', apiToken: '…' };
    const printed = printQuickstart({
      api: 'http://localhost:3000/api/v0',
      docs: 'http://localhost:3000/docs',
      openapi: 'http://localhost:3000/openapi.json',
      inbox: 'http://localhost:3000/dev/inbox',
      catcher: 'http://localhost:3000/dev/webhooks',
      organizationId: '…',
      projectId: '…',
      consoleEnvironmentId: '…',
      environments: { sandbox: environment, live: environment },
      dashboard: { email: '…', userToken: '…' },
    });
    expect(fencesOf(readme)[1]?.text.trim()).toBe(printed.trim());
  });

  it('does not promise of keys what this version cannot keep', () => {
    const keys = readme.slice(readme.indexOf('## Keys'));
    expect(keys).toContain('custodial, encrypted at rest');
    for (const text of [readme, read('SECURITY.md')]) expect(text).not.toMatch(/non-custodial|enclave|\bMPC\b/i);
  });
});

describe('the table of settings', () => {
  it('sets values as code, describes the others, and escapes what would end a cell', () => {
    const table = settingsTable({
      SIZE: numberSetting({ default: 3, min: 1, max: 9, about: 'How many | how much.' }),
      NAME: optionalText({ about: 'A name.', defaultText: 'the folder' }),
    });
    expect(table.split('\n')).toEqual([
      '| Variable | Default    | What it decides       |',
      '| -------- | ---------- | --------------------- |',
      '| `SIZE`   | `3`        | How many \\| how much. |',
      '| `NAME`   | the folder | A name.               |',
    ]);
  });
});

describe('the list of operations', () => {
  const operation = (operationId: string, tag: string) => ({ get: { operationId, tags: [tag] } });
  const contract = {
    openapi: '3.1.0',
    paths: { '/a': operation('a', 'Users'), '/b': operation('b', 'Users'), '/c': operation('c', 'Gates') },
  } as OpenApiDoc;

  it('counts what is implemented, by group', () => {
    expect(operationsTable(contract)).toBe(
      'All 3 operations of the contract are implemented, by group: Gates (1), Users (2).',
    );
  });
});

describe('docs/linking.md', () => {
  it('shows every decision, as it is taken', () => {
    expect(read('docs/linking.md')).toBe(withDecisions(read('docs/linking.md')));
    expect(decisionRows().length).toBeGreaterThanOrEqual(60);
  });

  it('would not do with another one', () => {
    const page = read('docs/linking.md');
    const wrong = page.replace('| `reassign_wallet_confirm`', '| `keep`');
    expect(wrong).not.toBe(page);
    expect(withDecisions(wrong)).toBe(page);
  });
});

describe('docs/operations.md', () => {
  it('is exactly what openapi.json says', () => {
    expect(read('docs/operations.md')).toBe(operationsPage(readDocument(new URL('../openapi.json', import.meta.url))));
  });

  it('says of each operation who may call it, its errors, events and limits', () => {
    const page = operationsPage({
      openapi: '3.1.0',
      servers: [{ url: '/api/v0' }],
      tags: [{ name: 'Things', description: 'What there is.' }],
      paths: {
        '/things': {
          post: {
            operationId: 'createThing',
            tags: ['Things'],
            summary: 'Make a thing',
            deprecated: true,
            responses: { 201: {}, 422: {}, 500: {} },
            'x-audience': 'dashboard',
            'x-token-scope': 'a.b',
            'x-least-role': 'admin',
            'x-events': ['thing.made'],
            'x-limits': ['9 things | ever'],
          },
        },
        '/things/check': {
          get: {
            operationId: 'checkThings',
            tags: ['Things'],
            'x-audience': 'dashboard',
            'x-any-token': true,
            'x-least-role': 'viewer',
          },
        },
        '/sdk/things': { get: { operationId: 'getThings', tags: ['Things'], 'x-audience': 'public' } },
      },
    } as OpenApiDoc);
    const [table = ''] = page.split('## Roles of members');
    const cells = table
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) =>
        line
          .split(/(?<!\\)\|/)
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    expect(page).toContain('## Things\n\nWhat there is.\n');
    expect(cells).toEqual([
      [
        '`createThing` (deprecated)',
        '`POST /api/v0/things`',
        'Make a thing',
        'API token with `a.b`; member, admin at least',
        '422',
        '`thing.made`',
        '9 things \\| ever',
      ],
      ['`checkThings`', '`GET /api/v0/things/check`', '', 'any API token; member, viewer at least', '', '', ''],
      ['`getThings`', '`GET /api/v0/sdk/things`', '', 'anyone', '', '', ''],
    ]);
    expect(page).toContain('whatever its scopes: `checkThings`.');
  });
});

describe('documents', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

  it('are all looked at', () => {
    expect(documents).toEqual(
      expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/running.md']),
    );
  });

  it('tell readers to run scripts that exist', () => {
    const unknown = (text: string): string[] => scriptsIn(text).filter((name) => !(name in scripts));
    expect(unknown('Run `npm run lift-off`, then npm start.')).toEqual(['lift-off']);
    expect(scriptsIn(readme)).toEqual(expect.arrayContaining(['start', 'doctor', 'cli']));
    for (const path of documents) expect([path, ...unknown(read(path))]).toEqual([path]);
  });

  it('link to files and headings that exist', () => {
    const broken = (path: string, text: string): string[] =>
      linksIn(text)
        .filter(({ path: target, anchor }) => {
          const file = join(root, dirname(path), target);
          if (target !== '' && !existsSync(file)) return true;
          return anchor !== '' && !anchorsOf(target === '' ? text : readFileSync(file, 'utf8')).includes(anchor);
        })
        .map(({ path: target, anchor }) => `${target}#${anchor}`);
    expect(broken('docs/a.md', '# A\n[b](gone.md) [c](#nowhere) [d](#a) [e](../README.md#try-it)')).toEqual([
      'gone.md#',
      '#nowhere',
    ]);
    for (const path of documents) expect([path, ...broken(path, read(path))]).toEqual([path]);
  });

  it('name files that exist', () => {
    const missing = (text: string): string[] => pathsIn(text).filter((path) => !existsSync(join(root, path)));
    expect(missing('See `src/gone.ts`, `src/main.ts`, `src/` and `src/**/*.spec.ts`.')).toEqual(['src/gone.ts']);
    for (const path of documents) expect([path, ...missing(read(path))]).toEqual([path]);
  });

  it('have blocks of commands that a shell can read', () => {
    const check = (text: string): unknown => execFileSync('bash', ['-n'], { input: text, stdio: 'pipe' });
    expect(() => check('if true; then')).toThrow('syntax error');
    const blocks = documents.flatMap((path) => fencesOf(read(path)).map((fence) => ({ path, ...fence })));
    const commands = blocks.filter(({ language }) => language === 'sh');
    expect(commands.length).toBeGreaterThan(2);
    for (const { text } of commands) check(text);
    // A block without a language is neither run nor known not to be.
    expect(blocks.filter(({ language }) => language === '').map(({ path, line }) => `${path}:${line}`)).toEqual([]);
  });

  it('show code that is compiled: each block is part of the file it names', () => {
    const blocks = documents.flatMap((path) => fencesOf(read(path)).map((fence) => ({ path, ...fence })));
    const code = blocks.filter(({ language }) => language === 'ts');
    const isPart = ({ source, text }: { source: string; text: string }): boolean =>
      source !== '' && existsSync(join(root, source)) && read(source).includes(text);
    expect(isPart({ source: 'src/main.ts', text: 'not in there' })).toBe(false);
    expect(isPart({ source: '', text: '' })).toBe(false);
    expect(code.filter((block) => !isPart(block)).map(({ path, line }) => `${path}:${line}`)).toEqual([]);
  });
});
