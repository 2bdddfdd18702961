import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

const SETTINGS = ['nest-cli.json', 'tsconfig.json', 'tsconfig.build.json', 'package.json'];
const CLI = resolve('node_modules/@nestjs/cli/bin/nest.js');

const MAIN = `
  import { readFileSync } from 'node:fs';
  import { Injectable } from '@nestjs/common';
  import { acme } from '../extensions/acme/index.js';
  import { migrations } from '../migrations/index.js';
  @Injectable() class Part { constructor(readonly name: string) {} }
  console.log(migrations.join(), acme, new Part('part').name, readFileSync(new URL('./asset.txt', import.meta.url), 'utf8'));
`;

/** A compiler on a busy machine takes its time. */
jest.setTimeout(120_000);

describe('the command line of Nest', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-nest-'));
  const nest = (cwd: string, ...args: string[]): { status: number | null; output: string } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], {
      cwd,
      encoding: 'utf8',
      // `nest start` looks for Node there.
      env: { ...process.env, NODE_OPTIONS: '', PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) },
    });
    return { status, output: stdout + stderr };
  };

  /** A repository of three files with the real settings. */
  beforeAll(() => {
    for (const name of ['src', 'migrations', 'extensions/acme']) mkdirSync(join(folder, name), { recursive: true });
    for (const name of SETTINGS) cpSync(resolve(name), join(folder, name));
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'src/main.ts'), MAIN);
    writeFileSync(join(folder, 'src/main.spec.ts'), 'throw new Error();');
    writeFileSync(join(folder, 'src/asset.txt'), 'asset');
    writeFileSync(join(folder, 'extensions/acme/index.ts'), "export const acme = 'extended';");
    writeFileSync(join(folder, 'extensions/acme/acme.surface.ts'), "import '../../test/absent.js';");
    writeFileSync(join(folder, 'migrations/index.ts'), "export const migrations: string[] = ['first'];");
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('builds what the service needs, where the service looks for it', () => {
    expect(nest(folder, 'build')).toMatchObject({ status: 0 });
    for (const path of ['src/main.js', 'src/main.js.map', 'src/asset.txt', 'migrations/index.js'])
      expect([path, existsSync(join(folder, 'dist', path))]).toEqual([path, true]);
    expect(existsSync(join(folder, 'dist/src/main.spec.js'))).toBe(false);
  });

  it('starts what it built', () => {
    expect(nest(folder, 'start').output).toContain('first extended part asset\n');
  });

  it('refuses what the compiler refuses', () => {
    writeFileSync(join(folder, 'src/wrong.ts'), "export const count: number = 'one';");
    const { status, output } = nest(folder, 'build');
    rmSync(join(folder, 'src/wrong.ts'));
    expect([status, output]).toEqual([1, expect.stringContaining('src/wrong.ts')]);
  });

  it('generates the parts of a context into its folder, and lists its module', () => {
    const context = nest(resolve('.'), 'generate', 'module', 'reports', '--dry-run');
    expect(context).toMatchObject({ status: 0 });
    expect(context.output).toContain('CREATE src/reports/reports.module.ts');
    expect(context.output).toContain('UPDATE src/app.module.ts');
    for (const part of ['controller', 'service']) {
      const { output } = nest(resolve('.'), 'generate', part, 'reports', '--dry-run');
      expect(output).toContain(`CREATE src/reports/reports.${part}.ts`);
      expect(output).toContain(`CREATE src/reports/reports.${part}.spec.ts`);
    }
    expect(existsSync(resolve('src/reports'))).toBe(false);
  });
});
