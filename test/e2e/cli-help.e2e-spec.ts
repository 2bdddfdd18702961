import { afterAll, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS, usageOf } from '../../src/cli/commands.js';
import { run } from '../support/service-process.js';

describe('the command line, where there is no database', () => {
  const DATA_DIR = join(mkdtempSync(join(tmpdir(), 'gatehouse-cli-')), 'data');
  const cli = (...words: string[]) => run(['node', 'scripts/run.js', 'cli', ...words], { DATA_DIR });
  afterAll(() => rmSync(join(DATA_DIR, '..'), { recursive: true, force: true }));

  it('describes the arguments of each command, and exits with 0', async () => {
    const all = await cli('--help');
    expect(all).toMatchObject({ code: 0, stderr: '' });
    for (const { words } of COMMANDS) expect(all.stdout).toContain(`  ${words} `);
    for (const command of COMMANDS) {
      const told = await cli(...command.words.split(' '), '--help');
      expect(told).toEqual({ code: 0, stderr: '', stdout: `${usageOf(command)}\n` });
    }
    expect(existsSync(DATA_DIR)).toBe(false);
  }, 300_000);

  it('names an unknown command, and shows those that begin like it', async () => {
    const group = await cli('keys', '--help');
    expect(group).toMatchObject({ code: 0, stderr: '' });
    expect(group.stdout).toContain('  keys rewrap ');
    expect(group.stdout).not.toContain('promote');
    const mistyped = await cli('keys', 'rewra');
    expect(mistyped).toEqual({ code: 1, stdout: '', stderr: `There is no command "keys rewra".\n\n${group.stdout}` });
    const unknown = await cli('nonsense', '--help');
    expect(unknown).toMatchObject({ code: 1, stdout: '' });
    expect(unknown.stderr).toMatch(/^There is no command "nonsense --help"\.\n\nUsage: [^]* {2}promote /);
  }, 60_000);

  it('does so without loading the service', async () => {
    // Written by the process itself, so that other work of this machine does not count. The build, if any, came before.
    const cpu =
      'process.on("exit", () => { const { user, system } = process.cpuUsage(); console.error(user + system); })';
    await cli('--help');
    for (const words of [['--help'], ['keys', 'rewrap', '--help'], ['keys', 'rewra']]) {
      const spent = ['node', '--import', `data:text/javascript,${encodeURIComponent(cpu)}`, 'scripts/run.js', 'cli'];
      let least = Infinity;
      for (let round = 0; round < 3; round++) {
        const { stderr } = await run([...spent, ...words], { DATA_DIR });
        least = Math.min(least, Number(stderr.trim().split('\n').at(-1)));
      }
      // A seventh of a second; the service takes three.
      expect(least).toBeLessThan(1_500_000);
    }
  }, 180_000);

  it('refuses to create one, in one line', async () => {
    const { code, stdout, stderr } = await cli('keys', 'status');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^There is no database here: set DATABASE_URL [^\n]+\n$/);
    expect(existsSync(DATA_DIR) ? readdirSync(DATA_DIR) : []).toEqual([]);
  }, 60_000);
});
