import { describe, expect, it, jest } from '@jest/globals';
import type { EnvironmentId, EnvironmentKind, TenantDirectory } from '../../auth/index.js';
import { OriginPolicy } from './origin-policy.js';
import type { OriginsRepository } from './origins.repository.js';

const HERE = 'e' as EnvironmentId;

function policy(kind: EnvironmentKind, patterns: string[]) {
  const listPatterns = jest.fn(async () => patterns);
  const origins = { listPatterns } as Partial<OriginsRepository> as OriginsRepository;
  const tenants = { findEnvironment: async () => ({ id: HERE, kind, organizationId: 'o', enforcesSso: false }) };
  return { listPatterns, policy: new OriginPolicy(origins, tenants as Partial<TenantDirectory> as TenantDirectory) };
}

describe('an environment', () => {
  it('without registered sites admits none', async () => {
    const { policy: origins } = policy('sandbox', []);
    expect(await origins.allows(HERE, 'https://example.com')).toBe(false);
  });

  it('admits its registered sites, read once for many calls', async () => {
    const { policy: origins, listPatterns } = policy('live', ['https://a.example.com', 'https://*.example.org']);
    expect(await origins.allows(HERE, 'https://a.example.com')).toBe(true);
    expect(await origins.allows(HERE, 'https://x.example.org')).toBe(true);
    expect(await origins.allows(HERE, 'https://b.example.com')).toBe(false);
    expect(listPatterns).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['sandbox', true],
    ['live', false],
    ['console', false],
  ] as const)('of kind %s admits the developer machine in plain http: %s', async (kind, expected) => {
    const { policy: origins } = policy(kind, ['http://localhost:5173']);
    expect(await origins.allows(HERE, 'http://localhost:5173')).toBe(expected);
  });

  it('does not look at a text longer than any origin', async () => {
    const { policy: origins, listPatterns } = policy('live', ['https://a.example.com']);
    expect(await origins.allows(HERE, `https://${'a'.repeat(600)}.example.com`)).toBe(false);
    expect(listPatterns).not.toHaveBeenCalled();
  });
});
