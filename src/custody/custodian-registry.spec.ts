import { describe, expect, it } from '@jest/globals';
import type { Custodian, SignsRequests } from './custodian.js';
import { CustodianRegistry } from './custodian-registry.js';

const signer: SignsRequests = { sign: async () => ({ signature: '0x00' }) };
const unused = () => Promise.reject(new Error('Nothing is asked of it.'));
const custodian = (version: Custodian['version'], can: Custodian['can'] = {}): Custodian => ({ version, can });

describe('the registry of custodians', () => {
  const registry = new CustodianRegistry();
  registry.register(custodian('V1', { sign: signer }));
  registry.register(custodian('external'));

  it('hands out a capability of the custodian of a version', () => {
    expect(registry.get('V1', 'sign')).toBe(signer);
    expect(registry.all().map(({ version }) => version)).toEqual(['V1', 'external']);
  });

  it.each(['create', 'retire', 'derive', 'sign', 'export', 'import', 'reshare'] as const)(
    'refuses to %s by a custodian that cannot, and names both',
    (capability) => {
      expect(() => registry.get('external', capability)).toThrow(
        expect.objectContaining({
          status: 422,
          code: 'not_supported_by_custodian',
          details: expect.objectContaining({ payload: { version: 'external', capability } }),
        }),
      );
    },
  );

  it('hands nothing of V3 out for keys that are shared with their user, and of V2 what the custodian of split keys can', () => {
    const versions = new CustodianRegistry();
    for (const version of ['V2', 'V3'] as const) versions.register(custodian(version, { sign: signer }));
    expect(versions.getFor({ version: 'V3', isShared: false }, 'sign')).toBe(signer);
    expect(versions.getFor({ version: 'V2', isShared: true }, 'sign')).toBe(signer);
    const payload = { version: 'V3', capability: 'sign' };
    expect(() => versions.getFor({ version: 'V3', isShared: true }, 'sign')).toThrow(
      expect.objectContaining({
        code: 'not_supported_by_custodian',
        details: expect.objectContaining({ payload }),
      }),
    );
  });

  it('refuses a version that nobody holds keys for', () => {
    expect(() => registry.get('V3', 'sign')).toThrow(
      expect.objectContaining({ status: 422, code: 'no_compatible_wallet_service_enabled' }),
    );
  });

  it.each([[{ create: { prepare: unused } }], [{ import: { createReceiver: unused, import: unused } }]])(
    'takes none that comes by keys and is not told when they end',
    (can) => {
      expect(() => registry.register(custodian('V3', can))).toThrow('version V3 comes by keys that it cannot retire');
    },
  );

  it('takes one custodian for each version', () => {
    expect(() => registry.register(custodian('V1'))).toThrow('two custodians of version V1');
  });
});
