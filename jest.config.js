import { existsSync } from 'node:fs';
import { memoryFolder } from './scripts/jest/memory-folder.js';

const FOLDERS = ['src', 'clients', 'migrations', 'test', 'bench', 'chaos', 'scripts', 'examples', 'extensions'];

// Workers and what they start inherit it.
const folder = process.env.TMPDIR ? null : memoryFolder();
if (folder) process.env.TMPDIR = folder;

/** Suites run on Node's own modules (scripts/jest/runtime.js); the compiler settings are those of the build, in .swcrc. */
const common = {
  // Data, build output and caches are never searched: the database folder belongs to another account.
  roots: FOLDERS.filter((name) => existsSync(new URL(name, import.meta.url))).map((name) => `<rootDir>/${name}`),
  runner: '<rootDir>/scripts/jest/runner.js',
  runtime: '<rootDir>/scripts/jest/runtime.js',
  testEnvironment: '<rootDir>/scripts/jest/environment.js',
  testRunner: '<rootDir>/scripts/jest/framework.js',
  transform: {},
};

/** Suites that measure what a busy machine makes worse, or whose instances must answer in time. All others may run beside each other. */
const ALONE = [
  'e2e/balanced-ceremonies',
  'e2e/database-outage',
  'e2e/pattern-load',
  'e2e/redis-outage',
  'e2e/sign-in-secrecy',
  'e2e/two-instances',
  'e2e/users-scale',
  'e2e/webhook-hangs',
  'e2e/webhook-retention',
  'e2e/developer-speed.browser',
].map((name) => `test/${name}.e2e-spec.ts`);
const missing = ALONE.filter((path) => !existsSync(new URL(path, import.meta.url)));
if (missing.length > 0) throw new Error(`jest.config.js names suites that do not exist: ${missing.join(', ')}`);

const endToEnd = {
  ...common,
  globalSetup: '<rootDir>/test/support/global-setup.mts',
  globalTeardown: '<rootDir>/test/support/global-teardown.mts',
};

export default {
  // One more than the cores that CI has: suites wait for the database, programs and browsers as well.
  maxWorkers: 3,
  testTimeout: 60_000,
  // Native modules of a suite stay in the memory of its worker, which is replaced before there is none left.
  workerIdleMemoryLimit: '3GB',
  // It has nothing open when its last suite is over, but freeing two gigabytes takes longer than Jest's half a second.
  workerGracefulExitTimeout: 10_000,
  testSequencer: '<rootDir>/scripts/jest/sequencer.js',
  reporters: ['<rootDir>/scripts/jest/lines-reporter.js', 'summary', '<rootDir>/scripts/jest/summary-reporter.js'],
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: [
        ...['<rootDir>/{src,clients,bench,chaos,extensions}/**/*.spec.ts', '<rootDir>/test/*.spec.ts'],
        // Against vectors that are kept elsewhere: a suite where there are some.
        ...(process.env['WYCHEPROOF'] ? ['<rootDir>/test/wycheproof.ts'] : []),
      ],
    },
    {
      ...endToEnd,
      displayName: 'e2e',
      testMatch: ['<rootDir>/{test,examples,extensions}/**/*.e2e-spec.ts'],
      testPathIgnorePatterns: ALONE.map((path) => `/${path.replaceAll('.', '\\.')}$`),
    },
    {
      ...endToEnd,
      displayName: 'alone',
      testMatch: ALONE.map((path) => `<rootDir>/${path}`),
      runner: '<rootDir>/scripts/jest/alone-runner.js',
    },
  ],
};
