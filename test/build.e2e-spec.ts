import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** A repository of four source files with the real scripts. */
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-build-'));

const write = (path: string, text: string): void => writeFileSync(join(folder, path), text);

const run = (script: string, ...args: string[]): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(process.execPath, [join('scripts', script), ...args], { cwd: folder, encoding: 'utf8', timeout: 60_000 });

const SERVICE = `
  import { migrations } from '../migrations/index.js';
  import settings from './settings.json' with { type: 'json' };
  enum Greeting { hello = 1 }
  export function runService(): void {
    console.log(migrations.join(), settings.name, Greeting.hello, process.argv.slice(2).join(' '));
    if (process.argv.includes('fail')) throw new Error('on purpose');
  }
`;

/** Packages that an extension may bring: two that read a file of their own, and one with native code. */
function installReaders(): void {
  const install = (name: string, type: string, files: Record<string, string>): void => {
    mkdirSync(join(folder, 'node_modules', name));
    const described = { 'package.json': JSON.stringify({ name, version: '1.0.0', type, main: 'index.js' }), ...files };
    for (const [file, text] of Object.entries(described)) write(`node_modules/${name}/${file}`, text);
  };
  install('reads-files', 'commonjs', {
    'text.txt': 'beside',
    'index.js': `'use strict'
      const { basename, join } = require('node:path');
      exports.text = () => require('node:fs').readFileSync(join(__dirname, 'text.txt'), 'utf8') + ' ' + basename(__filename);`,
  });
  install('reads-files-too', 'module', {
    'text.txt': 'beside',
    'index.js': `import { readFileSync } from 'node:fs';
      import { dirname, join } from 'node:path';
      import { fileURLToPath } from 'node:url';
      const __dirname = dirname(fileURLToPath(import.meta.url));
      export const readBeside = () => readFileSync(join(__dirname, 'text.txt'), 'utf8');
      export const resolveOther = () => import.meta.resolve('reads-files');`,
  });
  const [addon = ''] = globSync(resolve('node_modules/@swc/core-*/*.node'));
  install('brings-native', 'commonjs', { 'index.js': "module.exports = require('./addon.node');" });
  symlinkSync(addon, join(folder, 'node_modules/brings-native/addon.node'));
}

beforeAll(() => {
  for (const name of ['src', 'migrations']) mkdirSync(join(folder, name));
  cpSync(resolve('scripts'), join(folder, 'scripts'), { recursive: true });
  cpSync(resolve('.swcrc'), join(folder, '.swcrc'));
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync('node_modules'))
    symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  write('package.json', '{ "type": "module" }');
  write('src/settings.json', '{ "name": "settings" }');
  write('src/main.spec.ts', 'throw new Error();');
  write('src/service.ts', SERVICE);
  write('src/main.ts', "import { runService } from './service.js';\nrunService();");
  write('src/tool.ts', `${SERVICE}\nrunService();`);
  write('migrations/index.ts', 'export const migrations: string[] = ["first"];');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('npm start', () => {
  test('builds what was never built, then runs it', () => {
    expect(run('start.js')).toMatchObject({ status: 0, stdout: 'first settings 1 \n' });
    expect(existsSync(join(folder, 'dist/src/main.js'))).toBe(true);
    expect(existsSync(join(folder, 'dist/src/main.spec.js'))).toBe(false);
  });

  test('does not build again while no source changes', () => {
    write('dist/src/main.js', 'console.log("as built")');
    expect(run('start.js').stdout).toBe('as built\n');
  });

  test('builds again when a source is edited, added or removed', () => {
    write('migrations/index.ts', 'export const migrations: string[] = ["first", "second"];');
    expect(run('start.js').stdout).toBe('first,second settings 1 \n');
    write('src/extra.ts', 'export {};');
    run('start.js');
    expect(existsSync(join(folder, 'dist/src/extra.js'))).toBe(true);
    rmSync(join(folder, 'src/extra.ts'));
    run('start.js');
    expect(existsSync(join(folder, 'dist/src/extra.js'))).toBe(false);
  });

  test('points errors at the TypeScript line', () => {
    const { status, stderr } = run('start.js', 'fail');
    expect(status).toBe(1);
    expect(stderr).toMatch(/src\/service\.ts:7:\d+/);
  });

  test('shows the line that does not compile, and keeps the last build', () => {
    const before = readFileSync(join(folder, 'dist/src/main.js'), 'utf8');
    write('src/broken.ts', 'export const x: = 1;');
    const { status, stderr } = run('start.js');
    rmSync(join(folder, 'src/broken.ts'));
    expect(status).toBe(1);
    expect(stderr).toMatch(/^src\/broken\.ts does not compile:\n/);
    expect(stderr).not.toContain('Stack backtrace');
    expect(readFileSync(join(folder, 'dist/src/main.js'), 'utf8')).toBe(before);
  });

  test('says what cannot be written, and what to do about it', () => {
    write('src/more.ts', 'export {};');
    rmSync(join(folder, '.cache'), { recursive: true });
    write('.cache', 'A file, on which nobody can write as in a folder, not even root.');
    const { status, stderr } = run('start.js');
    rmSync(join(folder, '.cache'));
    rmSync(join(folder, 'src/more.ts'));
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^The service cannot be built, because .*\.cache cannot be written \(E\w+\): give this user .*\.\n$/,
    );
  });

  test('needs few files at a time', () => {
    for (let number = 0; number < 150; number++) write(`src/many${number}.ts`, `export const one = ${number};`);
    const within = (files: number): { status: number | null; stderr: string } =>
      spawnSync('sh', ['-c', `ulimit -n ${files}; exec "$0" scripts/start.js`, process.execPath], {
        cwd: folder,
        encoding: 'utf8',
      });
    expect(within(100)).toMatchObject({ status: 0, stderr: '' });
    for (let number = 0; number < 150; number++) rmSync(join(folder, `src/many${number}.ts`));
  });

  test('builds although a lock is left whose process has been gone for long and whose number another one has', () => {
    const lock = join(folder, '.cache/build.lock');
    write('src/more.ts', 'export {};');
    mkdirSync(dirname(lock), { recursive: true });
    for (const left of [String(process.pid), '']) {
      rmSync(join(folder, 'dist'), { recursive: true, force: true });
      writeFileSync(lock, left);
      const before = new Date(Date.now() - 120_000);
      utimesSync(lock, before, before);
      expect(run('start.js')).toMatchObject({ status: 0, stderr: '' });
      expect(existsSync(lock)).toBe(false);
    }
    rmSync(join(folder, 'src/more.ts'));
  });
});

test('another program of the repository receives its own arguments', () => {
  expect(run('run.js', 'tool', '--all', 'x')).toMatchObject({ status: 0, stdout: 'first,second settings 1 --all x\n' });
  expect(run('run.js', 'absent')).toMatchObject({ status: 1, stderr: expect.stringContaining('no program "absent"') });
});

describe('npm run build', () => {
  const service = (): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [join('dist', 'service.js'), 'x'], { cwd: folder, encoding: 'utf8' });

  test('says how much it built, and joins the service into one file that runs', () => {
    write('src/asset.txt', 'an asset');
    write(
      'src/service.ts',
      `${SERVICE.replace('runService', 'greet')}\nimport { readFileSync, writeFileSync } from 'node:fs';\nimport { Injectable } from '@nestjs/common';
      @Injectable() class Näme {}
      const sälute = (whom: string): string => whom;
      export function runService(): void {
        greet();
        writeFileSync(new URL('./started', import.meta.url), '');
        console.log(readFileSync(new URL('./asset.txt', import.meta.url), 'utf8'), Näme.name, '☃', \`☃\${process.argv.length}\`, /^☃$/.test('☃'), sälute.name);
      }`,
    );
    expect(run('build.js').stdout).toMatch(/^Built 4 files and a bundle of \d+\.\d MB in \d+ ms\.\n$/);
    // The code of it was made by then, and nothing was started for that.
    const started = join(folder, 'dist/src/started');
    expect(existsSync(started)).toBe(false);
    expect(service()).toMatchObject({
      status: 0,
      stdout: 'first,second settings 1 x\nan asset Näme ☃ ☃3 true sälute\n',
    });
    expect(existsSync(started)).toBe(true);
  });

  const beyondAscii = (file: string): string[] => readFileSync(file, 'utf8').match(/.{0,40}[^\0-\x7f]/g) ?? [];

  test('keeps the bundle in characters of one byte, also in templates and expressions', () => {
    expect(beyondAscii(join(folder, 'dist/service.program'))).toEqual([]);
    expect(beyondAscii(join(folder, 'src/service.ts'))).not.toEqual([]);
  });

  // What `load` leaves alone without a word is asked for here.
  const REFUSED = `
    import { readFileSync } from 'node:fs';
    import { Script } from 'node:vm';
    const [source, cachedData] = ['', '.code'].map((end) => readFileSync('dist/service.program' + end));
    console.log(new Script(source.toString('latin1'), { cachedData }).cachedDataRejected);`;
  const isRefused = (...flags: string[]): string =>
    spawnSync(process.execPath, [...flags, '--input-type=module', '--eval', REFUSED], {
      cwd: folder,
      encoding: 'utf8',
    }).stdout;

  test('keeps the code of it that V8 made, which is good with the options of a server', () => {
    const server = ['--enable-source-maps', '--min-semi-space-size=8', '--max-semi-space-size=8'];
    expect(isRefused(...server, '--max-old-space-size=512')).toBe('false\n');
    expect(isRefused('--no-lazy')).toBe('true\n');
  });

  test('runs without that code as well, and with code of something else', () => {
    const code = join(folder, 'dist/service.program.code');
    for (const spoil of [() => writeFileSync(code, 'no code'), () => rmSync(code)]) {
      spoil();
      expect(service()).toMatchObject({ status: 0, stdout: expect.stringContaining('an asset') });
    }
  });

  test('fails for a service that cannot be loaded, and says why', () => {
    const before = readFileSync(join(folder, 'src/service.ts'), 'utf8');
    write('src/service.ts', `${before}\nthrow new Error('on purpose');`);
    const { status, stdout, stderr } = run('build.js');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('on purpose');
    expect(stderr).toContain('cannot be loaded');
    expect(existsSync(join(folder, 'dist/.joined'))).toBe(false);
    write('src/service.ts', before);
  });

  test('refuses a raw template that could not be written so', () => {
    const before = readFileSync(join(folder, 'src/service.ts'), 'utf8');
    write('src/service.ts', 'console.log(String.raw`\\d ☃ ${process.argv.length}`);');
    expect(run('build.js')).toMatchObject({ status: 1, stderr: expect.stringContaining('raw template') });
    write('src/service.ts', before);
  });

  test('joins the program that opens keys into another file, which the service starts', () => {
    const starter = 'src/custody/signer/process/child-signer.ts';
    mkdirSync(join(folder, dirname(starter)), { recursive: true });
    write(starter, "export const PROGRAM = new URL('../main.js', import.meta.url).href;");
    write(
      'src/custody/signer/main.ts',
      "console.log('a signer', import.meta.url.endsWith('/src/custody/signer/main.js'));",
    );
    write(
      'src/service.ts',
      `import { PROGRAM } from '${starter.replace('src/', './').replace('.ts', '.js')}';
      export const runService = () => console.log(PROGRAM);`,
    );
    expect(run('build.js').status).toBe(0);
    const started = service().stdout.trim();
    expect(started).toMatch(/\/dist\/signer\.js$/);
    const signer = spawnSync(process.execPath, [fileURLToPath(started)], { encoding: 'utf8' });
    expect(signer).toMatchObject({ status: 0, stdout: 'a signer true\n' });
    // One that names another program would go on starting the files that were joined.
    write(starter, "export const PROGRAM = new URL('../other.js', import.meta.url).href;");
    expect(run('build.js')).toMatchObject({ status: 1, stderr: expect.stringContaining('child-signer.js') });
  });

  test('joins this service as well into a file that runs as far as it may without settings', () => {
    const whole = mkdtempSync(join(tmpdir(), 'gatehouse-whole-'));
    try {
      for (const name of ['src', 'migrations', 'extensions', 'clients', 'scripts', 'package.json', '.swcrc']) {
        cpSync(resolve(name), join(whole, name), { recursive: true });
      }
      symlinkSync(resolve('node_modules'), join(whole, 'node_modules'));
      expect(spawnSync(process.execPath, [join('scripts', 'build.js')], { cwd: whole }).status).toBe(0);
      for (const program of ['service', 'signer']) {
        const { status, stdout, stderr } = spawnSync(process.execPath, [join('dist', `${program}.js`)], {
          cwd: whole,
          encoding: 'utf8',
          env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
        });
        expect({ program, status }).toEqual({ program, status: 1 });
        expect(stdout + stderr).toContain('did not start: MASTER_KEY is missing');
      }
      for (const file of ['service.program', 'signer.js']) expect(beyondAscii(join(whole, 'dist', file))).toEqual([]);
    } finally {
      rmSync(whole, { recursive: true, force: true });
    }
  });

  test('is made for whoever starts the joined service, where it is missing or not of these sources and packages', () => {
    rmSync(join(folder, 'src/custody'), { recursive: true, force: true });
    write('src/service.ts', SERVICE);
    expect(run('joined.js', 'x')).toMatchObject({ status: 0, stdout: 'first,second settings 1 x\n' });
    const joined = join(folder, 'dist/service.js');
    write('dist/service.js', 'console.log("as joined")');
    expect(run('joined.js').stdout).toBe('as joined\n');
    for (const change of [
      () => write('package-lock.json', '{}'),
      () => write('src/service.ts', `${SERVICE}\n// Edited.`),
      () => rmSync(join(folder, 'dist/.joined')),
    ]) {
      change();
      expect(run('joined.js').stdout).toBe('first,second settings 1 \n');
      expect(readFileSync(joined, 'utf8')).not.toContain('as joined');
      write('dist/service.js', 'console.log("as joined")');
    }
    expect(run('start.js').stdout).toBe('first,second settings 1 \n');
  });

  test('leaves packages that read files, resolve others or bring native code the place they were installed at', () => {
    installReaders();
    write(
      'src/service.ts',
      `import old from 'reads-files';
      import { readBeside, resolveOther } from 'reads-files-too';
      import native from 'brings-native';
      export const runService = () =>
        console.log(old.text(), readBeside(), resolveOther(), typeof native.parseSync, import.meta.dirname);`,
    );
    expect(run('build.js')).toMatchObject({ status: 0, stderr: '' });
    const place = realpathSync(folder);
    const found = pathToFileURL(join(place, 'node_modules/reads-files/index.js')).href;
    expect(service()).toMatchObject({
      status: 0,
      stdout: `beside index.js beside ${found} function ${join(place, 'dist/src')}\n`,
    });
  });

  test('fails for a package that is not there', () => {
    rmSync(join(folder, 'src/custody'), { recursive: true, force: true });
    write('src/service.ts', "import 'not-installed-anywhere';");
    const { status, stderr } = run('build.js');
    expect(status).toBe(1);
    expect(stderr).toContain('not-installed-anywhere');
  });
});
