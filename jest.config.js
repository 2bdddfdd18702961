import { existsSync } from 'node:fs';

const FOLDERS = ['src', 'migrations', 'test', 'bench', 'chaos', 'scripts', 'examples'];

/** Native ESM (--experimental-vm-modules); the compiler settings are those of the build, in .swcrc. */
const common = {
  // Data, build output and caches are never searched: the database folder belongs to another account.
  roots: FOLDERS.filter((name) => existsSync(new URL(name, import.meta.url))).map((name) => `<rootDir>/${name}`),
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', {}] },
  testEnvironment: 'node',
};

export default {
  maxWorkers: 2,
  testTimeout: 30_000,
  reporters: ['default', '<rootDir>/scripts/jest-summary-reporter.js'],
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/{src,bench,chaos}/**/*.spec.ts', '<rootDir>/test/*.spec.ts'],
    },
    {
      ...common,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/**/*.e2e-spec.ts'],
      globalSetup: '<rootDir>/test/support/global-setup.mts',
      globalTeardown: '<rootDir>/test/support/global-teardown.mts',
    },
  ],
};
