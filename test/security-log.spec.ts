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

describe('an event of the security log', () => {
  it('is told by some place of the service', () => {
    const files = globSync('src/**/*.ts', { cwd: root, exclude: ['src/common/security/**', 'src/**/*.spec.ts'] });
    const sources = files.map((file) => readFileSync(join(root, file), 'utf8'));
    expect(untold(sources)).toEqual([]);
    const silenced = sources.map((text) => text.replaceAll('SecurityEvent.TokenReused', 'SecurityEvent.TokenRefused'));
    expect(untold(silenced)).toEqual(['TokenReused']);
  });
});
