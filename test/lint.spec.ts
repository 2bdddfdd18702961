import { describe, expect, it } from '@jest/globals';
import { Linter } from 'eslint';
import { join } from 'node:path';
import tseslint from 'typescript-eslint';

// By a computed name: the configuration is plain JavaScript and has no types.
const { default: config } = (await import(join(import.meta.dirname, '../eslint.config.js'))) as {
  default: Linter.Config[];
};
const linter = new Linter({ configType: 'flat', cwd: `${import.meta.dirname}/..` });

/** The bans need no types, so the files they are tried on need not exist. */
const untyped: Linter.Config[] = [
  ...config,
  tseslint.configs.disableTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: false } },
    rules: { '@typescript-eslint/no-unused-vars': 'off' },
  },
];

const lint = (path: string, text: string): string[] =>
  linter
    .verify(text, untyped, `${import.meta.dirname}/../${path}`)
    .map(({ ruleId, message }) => `${ruleId}: ${message}`);

const BANS: [name: string, text: string, says: RegExp, home: string | null][] = [
  ['the environment', 'export const a = process.env["A"];', /Config/, 'src/config/a.ts'],
  [
    'the environment by import',
    "import { env } from 'node:process';\nexport const a = env;",
    /Config/,
    'src/config/a.ts',
  ],
  ['the environment by a longer name', 'export const a = globalThis.process.env;', /Config/, 'src/config/a.ts'],
  [
    'a log line that is an object',
    "export class A extends B {\n  a() {\n    this.log.warn({ environmentId: 'a' }, 'It failed.');\n  }\n}",
    /LogRecord/,
    null,
  ],
  [
    'a parameter with the name of a global class',
    "import type { Response } from 'express';\nexport class A {\n  a(@Res() response: Response) {\n    response.end();\n  }\n}",
    /ExpressResponse/,
    null,
  ],
  ['weak randomness', 'export const a = Math.random();', /randomBytes/, null],
  [
    'a request past the outbound door',
    "export const a = fetch('https://a.test');",
    /OutboundHttp/,
    'src/outbound/a.ts',
  ],
  ['such a request by a longer name', 'export const a = globalThis.fetch;', /OutboundHttp/, 'src/outbound/a.ts'],
  [
    'another client for requests',
    "import { request } from 'undici';\nrequest('a');",
    /OutboundHttp/,
    'src/outbound/a.ts',
  ],
  ['the client of Node', "import { request } from 'node:https';\nrequest('a');", /OutboundHttp/, 'src/outbound/a.ts'],
  ['the time of the process', 'export const a = Date.now();', /Clock/, 'src/common/clock.ts'],
  ['the date of the process', 'export const a = new Date();', /Clock/, 'src/common/clock.ts'],
  [
    'the connection',
    "import { DataSource } from 'typeorm';\nexport { DataSource };",
    /ScopedRepository/,
    'src/database/a.ts',
  ],
  [
    'its type',
    "import type { EntityManager } from 'typeorm';\nexport type A = EntityManager;",
    /ScopedRepository/,
    'src/a/a.repository.ts',
  ],
  [
    'an unscoped repository',
    "import { InjectRepository } from '@nestjs/typeorm';\nexport { InjectRepository };",
    /ScopedRepository/,
    'src/a/a.repository.ts',
  ],
  ['a driver of its own', "import pg from 'pg';\nexport const a = new pg.Client();", /repository/, 'src/database/a.ts'],
  ['a transaction of its own', 'export const a = new Transaction(client);', /UnitOfWork/, 'src/database/a.ts'],
  ['knots between modules', "import { forwardRef } from '@nestjs/common';\nexport { forwardRef };", /port/, null],
  [
    'minting a scope',
    "import { mintEnvironmentId } from '../auth/index.js';\nmintEnvironmentId('a');",
    /proof/,
    'src/a/sweep.job.ts',
  ],
  ['handing on the mint', "export { mintOrganizationId } from '../auth/index.js';", /proof/, 'src/cli/a.ts'],
  [
    'minting by a longer name',
    "import * as auth from '../auth/index.js';\nauth.mintEnvironmentId('a');",
    /proof/,
    'src/dev/a.ts',
  ],
  ['a scope by assertion', "export const a = 'a' as EnvironmentId;", /proof/, 'src/auth/a.ts'],
  [
    'a context by the window',
    "import { A } from '../wallets/a.js';\nexport { A };",
    /wallets\/index\.js/,
    'src/wallets/b.ts',
  ],
  ['a re-export by the window', "export * from '../auth/mint.js';", /auth\/index\.js/, 'src/auth/b.ts'],
];

describe('lint', () => {
  it.each(BANS)('refuses %s, and says what to use', (_name, text, says) => {
    expect(lint('src/billing/a.service.ts', text)).toEqual([expect.stringMatching(says)]);
  });

  it.each(BANS.filter(([, , , home]) => home !== null))('allows %s in its home', (_name, text, _says, home) => {
    expect(lint(home ?? '', text)).toEqual([]);
  });

  it('leaves extensions the libraries of their choice, and sends them through the doors of contexts', () => {
    expect(
      lint('extensions/acme/a.ts', "import { InjectRepository } from '@nestjs/typeorm';\nInjectRepository();"),
    ).toEqual([]);
    const deep = "import { A } from '../../src/wallets/a.js';\nexport { A };";
    expect(lint('extensions/acme/a.ts', deep)).toEqual([expect.stringMatching(/wallets\/index\.js/)]);
  });

  it('keeps every other ban in the home of one', () => {
    expect(lint('src/config/a.ts', 'export const a = Date.now();')).toHaveLength(1);
    expect(lint('src/database/a.ts', 'export const a = new Date();')).toHaveLength(1);
    expect(lint('src/a/a.repository.ts', "export const a = fetch('a');")).toHaveLength(1);
    expect(lint('src/common/clock.ts', 'export const a = Math.random();')).toHaveLength(1);
    expect(lint('src/auth/a.ts', 'export const a = new Date();')).toHaveLength(1);
  });

  it('leaves the clock and the environment of tests and programs alone', () => {
    for (const path of ['src/a/a.spec.ts', 'test/support/a.ts', 'bench/a.ts']) {
      expect(lint(path, 'export const a = [new Date(), process.env["A"]];')).toEqual([]);
    }
    expect(lint('src/a/a.spec.ts', 'export const a = Math.random();')).toHaveLength(1);
  });
});
