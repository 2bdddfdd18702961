import { describe, expect, it } from '@jest/globals';
import { missingOf } from '../settings/provider-rules.js';
import { SOCIAL_VENDORS } from '../social/catalogue.js';
import { CREATABLE_PROVIDERS } from './provider-names.js';
import { defineProviderType, fieldsOfType, type ProviderType } from './provider-type.js';
import { findProviderType, PROVIDER_TYPES } from './provider-types.js';

/** Account numbers, key and team ids, and addresses that carry the key of their account. */
const PRIVATE = /secret|sid|number|terms|rpc|oauth|salt|pool/i;

const leaks = (type: ProviderType): string[] => type.publicFields.filter((field) => PRIVATE.test(field));
const unknown = (type: ProviderType): string[] =>
  [...type.publicFields, ...type.destination, ...type.oneOf].filter((field) => !fieldsOfType(type).includes(field));

describe('types of providers', () => {
  it('are there for every value that a record can be made of, once each', () => {
    expect(CREATABLE_PROVIDERS.values).toHaveLength(32);
    expect(CREATABLE_PROVIDERS.values.filter((name) => !findProviderType(name))).toEqual([]);
    expect(new Set(PROVIDER_TYPES.map(({ name }) => name)).size).toBe(PROVIDER_TYPES.length);
  });

  it('are 23 where people sign in with them', () => {
    expect(new Set(SOCIAL_VENDORS.map(({ type }) => type.name)).size).toBe(23);
    expect(SOCIAL_VENDORS.filter(({ type }) => type.serves !== 'social')).toEqual([]);
  });

  it.each(PROVIDER_TYPES.map((type) => [type.name, type] as const))('%s publishes nothing private', (_, type) => {
    expect([leaks(type), unknown(type)]).toEqual([[], []]);
  });

  it('that published a key id would be noticed', () => {
    const planted = defineProviderType({ name: 'apple', serves: 'social', publicFields: ['oauthKeyId'] });
    expect([leaks(planted), unknown(planted)]).toEqual([['oauthKeyId'], ['oauthKeyId']]);
  });

  it.each(PROVIDER_TYPES.filter(({ secret }) => secret === 'required').map((type) => [type.name, type] as const))(
    '%s is not complete without its secret',
    (_, type) => {
      const all = Object.fromEntries(fieldsOfType(type).map((field) => [field, 'x']));
      expect(missingOf(type, all, false).map(({ field }) => field)).toEqual(['clientSecret']);
      expect(missingOf(type, all, true)).toEqual([]);
    },
  );
});
