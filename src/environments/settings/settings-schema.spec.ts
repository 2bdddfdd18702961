import { describe, expect, it } from '@jest/globals';
import { compareSchemas, type Direction } from '../../../test/support/contract/compare-schemas.js';
import { type JsonSchema, type OpenApiDoc, readDocument } from '../../../test/support/contract/openapi-document.js';
import { defaultSettings } from './default-settings.js';
import { projectSettings, settingsComponents } from './settings-schema.js';

const contract = readDocument(new URL('../../../test/contract/openapi.json', import.meta.url));
const root = { $ref: '#/components/schemas/ProjectSettings' };

function differences(components: Readonly<Record<string, JsonSchema>>, direction: Direction): string[] {
  const ours: OpenApiDoc = { openapi: '3.1.0', paths: {}, components: { schemas: components } };
  const found = compareSchemas({ doc: ours, schema: root }, { doc: contract, schema: root }, direction, 'settings');
  return found.map(({ rule, at }) => `${rule} ${at}`);
}

function planted(name: string, change: (schema: JsonSchema) => void): Record<string, JsonSchema> {
  const components: Record<string, JsonSchema> = structuredClone({ ...settingsComponents });
  change(components[name] ?? {});
  return components;
}

describe('the schema of the settings', () => {
  it.each<Direction>(['request', 'response'])('equals the contract as a %s, but for what is beyond it', (direction) => {
    const beyond = ['extra-field settings.security.confirmNewDevices'];
    expect(differences(settingsComponents, direction)).toEqual(beyond);
  });

  it('is seen to differ when a field is lost or an enum is shorter', () => {
    const lost = planted('AuthSettings', (schema) => delete schema.properties?.storage);
    const shorter = planted('TimeUnitEnum', (schema) => (schema.enum = ['days', 'hours']));
    expect(differences(lost, 'response')).toContain('missing-field settings.security.auth.storage');
    expect(differences(shorter, 'response')).toContain('enum settings.security.jwtDuration.unit');
  });

  it('has every component it refers to, and no other', () => {
    const text = JSON.stringify(settingsComponents);
    const named = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
    expect([...new Set([...named, 'ProjectSettings'])].sort()).toEqual(Object.keys(settingsComponents).sort());
  });

  it('marks the secrets as write-only', () => {
    expect(settingsComponents.CaptchaSettings?.properties?.secretKey?.writeOnly).toBe(true);
    expect(settingsComponents.ProviderRecord?.properties?.clientSecret?.writeOnly).toBe(true);
  });
});

describe('projecting settings', () => {
  it('keeps all default settings', () => {
    const settings = defaultSettings('live');
    expect(projectSettings(settings)).toEqual(settings);
  });

  it('drops what is not declared, at every level', () => {
    const settings = defaultSettings('sandbox');
    const polluted = {
      ...settings,
      internalNotes: 'x',
      security: { ...settings.security, jwtDuration: { amount: 1, unit: 'hours' as const, signingKey: 'x' } },
      chains: [{ name: 'EVM', enabled: true, nodeKey: 'x' }],
    };
    const projected = projectSettings(polluted);
    expect(JSON.stringify(projected)).not.toMatch(/internalNotes|signingKey|nodeKey/);
    expect(projected.security.jwtDuration).toEqual({ amount: 1, unit: 'hours' });
    expect(projected.chains).toEqual([{ name: 'EVM', enabled: true }]);
  });

  it('drops secrets and leaves its input alone', () => {
    const settings = defaultSettings('live');
    settings.security.captcha = { enabled: true, siteKey: 'site', secretKey: 'captcha-secret' };
    settings.providers = [{ provider: 'google', clientId: 'id', clientSecret: 'provider-secret' }];
    const projected = projectSettings(settings);
    expect(projected.security.captcha).toEqual({ enabled: true, siteKey: 'site' });
    expect(projected.providers).toEqual([{ provider: 'google', clientId: 'id' }]);
    expect(settings.security.captcha.secretKey).toBe('captcha-secret');
  });

  it('keeps maps whole', () => {
    const settings = defaultSettings('live');
    settings.general.supportUrls = { chat: 'https://example.com/chat' };
    expect(projectSettings(settings).general.supportUrls).toEqual({ chat: 'https://example.com/chat' });
  });
});
