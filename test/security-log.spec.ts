import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECURITY_EVENTS, SecurityEvent } from '../src/common/security/index.js';
import { findSection, withSections } from './support/readme/generated-sections.js';
import { securityEventsTable } from './support/readme/security-events.js';

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/security-log.md'), 'utf8');

/** Events that no source tells. */
function untold(sources: readonly string[]): string[] {
  const told = new Set(sources.flatMap((text) => text.match(/\bSecurityEvent\.\w+/g) ?? []));
  return Object.keys(SecurityEvent).filter((name) => !told.has(`SecurityEvent.${name}`));
}

describe('the page about the security log', () => {
  it('lists exactly the events of the enum', () => {
    expect(Object.keys(SECURITY_EVENTS).sort()).toEqual(Object.values(SecurityEvent).sort());
    expect(findSection(page, 'security-events')).toBe(securityEventsTable());
    const stale = withSections(page, { 'security-events': securityEventsTable().replace('code.failed', 'code.wrong') });
    expect(findSection(stale, 'security-events')).not.toBe(securityEventsTable());
  });

  it('makes its alarms of events that there are', () => {
    const named = [...page.matchAll(/event="([^"]+)"/g)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(4);
    expect([...named, 'code.wrong'].filter((name) => !Object.hasOwn(SECURITY_EVENTS, name))).toEqual(['code.wrong']);
  });
});

const sources = (): string[] =>
  globSync('src/**/*.ts', { cwd: root, exclude: ['src/common/security/**', 'src/**/*.spec.ts'] }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  );

/** Codes of errors that stop somebody who has done something too often, and that the log does not tell. */
const unloggedLimits = (texts: readonly string[]): string[] =>
  texts
    .flatMap((text) => text.match(/defineError\(\{[^]*?\n\}\)/g) ?? [])
    .filter((error) => error.includes('status: 429') && !error.includes('security: SecurityEvent.'))
    .map((error) => /code: '(\w+)'/.exec(error)?.[1] ?? error);

describe('a limit or a lock', () => {
  it('is told to the security log, whichever it is', () => {
    expect(unloggedLimits(sources())).toEqual([]);
    const silenced = sources().map((text) => text.replace(/ {2}security: SecurityEvent\.SignInLocked,\n/, ''));
    expect(unloggedLimits(silenced)).toContain('too_many_wrong_codes');
  });
});

describe('an event of the security log', () => {
  it('is told by some place of the service', () => {
    expect(untold(sources())).toEqual([]);
    const silenced = sources().map((text) =>
      text.replaceAll('SecurityEvent.TokenReused', 'SecurityEvent.TokenRefused'),
    );
    expect(untold(silenced)).toEqual(['TokenReused']);
  });
});
