import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { generateMasterKey } from '../src/vault/index.js';
import { createDatabase, type TestDatabase } from './support/postgres.js';
import { freePort } from './support/ports.js';
import { ServiceProcess } from './support/service-process.js';

const COPIED = ['src', 'migrations', 'extensions', 'clients', 'scripts', 'package.json', '.swcrc'];

/** A repository as docs/extending.md leaves it: extensions in their folder, listed where it says. */
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-extensions-'));

function replace(path: string, ...changes: [from: string, to: string][]): void {
  const file = join(folder, path);
  const text = changes.reduce(
    (before, [from, to]) => {
      expect(before).toContain(from);
      return before.replace(from, to);
    },
    readFileSync(file, 'utf8'),
  );
  writeFileSync(file, text);
}

/** An extension that says goodbye. */
const FAREWELL = `
  import { Injectable, Logger, Module, type BeforeApplicationShutdown, type OnApplicationShutdown } from '@nestjs/common';

  @Injectable()
  class Farewell implements BeforeApplicationShutdown, OnApplicationShutdown {
    private readonly log = new Logger('Farewell');
    beforeApplicationShutdown(signal?: string): void {
      this.log.warn(\`before: \${signal}\`);
    }
    onApplicationShutdown(signal?: string): void {
      this.log.warn(\`last: \${signal}\`);
    }
  }

  @Module({ providers: [Farewell] })
  export class FarewellModule {}
`;

describe('extensions outside of src', () => {
  let database: TestDatabase;
  let service: ServiceProcess;

  beforeAll(async () => {
    for (const name of COPIED) cpSync(resolve(name), join(folder, name), { recursive: true });
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    for (const name of ['notes', 'house-rules'])
      cpSync(resolve('examples', name), join(folder, 'extensions', name), { recursive: true });
    mkdirSync(join(folder, 'extensions/farewell'));
    writeFileSync(join(folder, 'extensions/farewell/index.ts'), FAREWELL);
    replace(
      'src/app.module.ts',
      [
        'import { WebhooksModule }',
        "import { FarewellModule } from '../extensions/farewell/index.js';\nimport { HouseRulesModule } from '../extensions/house-rules/index.js';\nimport { NotesModule } from '../extensions/notes/index.js';\nimport { WebhooksModule }",
      ],
      [
        '        ...extensions,',
        '        FarewellModule,\n        HouseRulesModule,\n        NotesModule,\n        ...extensions,',
      ],
    );
    replace(
      'migrations/index.ts',
      [
        'export const migrations = [',
        "import { CreateNotes20270101000000 } from '../extensions/notes/20270101000000-create-notes.js';\n\nexport const migrations = [",
      ],
      ['\n];', '\n  CreateNotes20270101000000,\n];'],
    );
    database = await createDatabase();
    const settings = {
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: database.url,
      MASTER_KEY: generateMasterKey(),
      PORT: String(await freePort()),
    };
    service = await ServiceProcess.start(settings, 'joined', folder);
  }, 120_000);
  afterAll(async () => {
    await service?.discard();
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are built and started with the service, in the order in which they are listed', async () => {
    const badge = await fetch(`${service.url}/badge.svg`);
    expect([badge.status, badge.headers.get('content-type')]).toEqual([200, expect.stringContaining('svg')]);
  });

  it('have the tables of their migrations', async () => {
    const { api, environments } = service.quickstart;
    const answer = await fetch(`${api}/environments/${environments.sandbox.id}/notes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${environments.sandbox.apiToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'water the plants' }),
    });
    expect([answer.status, await answer.json()]).toEqual([201, expect.objectContaining({ text: 'water the plants' })]);
  });

  it('are told the signal when the service stops', async () => {
    expect(await service.end('SIGTERM')).toBe(0);
    expect(service.output).toContain('before: SIGTERM');
    expect(service.output).toContain('last: SIGTERM');
  });
});
