import { describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(import.meta.dirname, '..');
/** Costly to load, and of use only where settings ask for them. */
const OPTIONAL = /^import (?!type\b)[^;]*from '(?:prom-client|pino|@opentelemetry\/[\w-]+)'/m;

describe('libraries of the log, of figures and of traces', () => {
  it('are loaded only by those who use them', () => {
    expect("import { pino } from 'pino';").toMatch(OPTIONAL);
    expect("import {\n  trace,\n} from '@opentelemetry/api';").toMatch(OPTIONAL);
    expect("import type { Registry } from 'prom-client';\nconst a = await import('prom-client');").not.toMatch(
      OPTIONAL,
    );
    const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'),
    );
    expect(sources.length).toBeGreaterThan(500);
    expect(sources.filter((name) => OPTIONAL.test(readFileSync(join(SRC, name), 'utf8')))).toEqual([]);
  });
});
