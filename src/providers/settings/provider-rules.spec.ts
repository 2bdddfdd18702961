import { describe, expect, it } from '@jest/globals';
import { defineProviderType } from '../types/provider-type.js';
import { providerTypeOf } from '../types/provider-types.js';
import type { ProviderConfiguration } from './provider.dto.js';
import { faultsOf, movesSecret } from './provider-rules.js';

type Configuration = Partial<ProviderConfiguration>;

const ACCOUNT: Configuration = { accountSid: 'AC1' };
const GATEWAY: Configuration = { domain: 'sms.own.example' };
const [sms, okta, turnkey] = [providerTypeOf('sms'), providerTypeOf('okta'), providerTypeOf('turnkey')];

describe('the countries of a provider', () => {
  const country = (isoCountryCode: string, phoneCountryCode: string) => ({ isoCountryCode, phoneCountryCode });

  it.each([
    ['CH', '41'],
    ['ch', '41'],
    ['CH', '+41'],
  ])('are each given once: %s with %s is another Switzerland', (iso, phone) => {
    const enabledCountries = [country('CH', '41'), country('DE', '49'), country(iso, phone)];
    expect(faultsOf(sms, { enabledCountries })).toEqual([
      { field: 'enabledCountries', reason: 'must name each country once' },
    ]);
  });

  it.each(['UK', 'ZZ', 'EUR', 'DE1'])('are countries that numbers can be of, not %s', (iso) => {
    const enabledCountries = [country('GB', '44'), country(iso, '44')];
    expect(faultsOf(sms, { enabledCountries })).toEqual([
      { field: 'enabledCountries', reason: expect.stringMatching(`^no phone number is of the country ${iso}: `) },
    ]);
  });

  it('may have several dialling codes', () => {
    expect(faultsOf(sms, { enabledCountries: [country('DO', '1809'), country('DO', '1829')] })).toEqual([]);
  });
});

describe('a kept secret', () => {
  it.each<[string, Configuration, Configuration]>([
    ['an account is added beside the gateway', GATEWAY, { ...GATEWAY, ...ACCOUNT }],
    ['a gateway is added beside the account', ACCOUNT, { ...GATEWAY, ...ACCOUNT }],
    ['the account beside the gateway is removed', { ...GATEWAY, ...ACCOUNT }, GATEWAY],
    ['the account takes the place of the gateway', GATEWAY, ACCOUNT],
    ['the gateway is another', GATEWAY, { domain: 'sms.other.example' }],
    ['the only address is removed', GATEWAY, {}],
  ])('of a type with one address of several moves when %s', (_, before, after) => {
    expect(movesSecret(sms, before, after)).toBe(true);
  });

  it.each<[string, Configuration, Configuration]>([
    ['nothing of its addresses changes', GATEWAY, { ...GATEWAY, smsSenderNumber: '+1' }],
    ['it was given before any address', { smsSenderNumber: '+1' }, ACCOUNT],
  ])('of a type with one address of several stays when %s', (_, before, after) => {
    expect(movesSecret(sms, before, after)).toBe(false);
  });

  it('of other types stays while a record is filled in, and moves with every later change', () => {
    const [half, whole] = [{ clientId: 'o' }, { clientId: 'o', domain: 'a.okta.example' }];
    expect(movesSecret(okta, half, whole)).toBe(false);
    expect(movesSecret(okta, whole, { ...whole, domain: 'b.okta.example' })).toBe(true);
    expect(movesSecret(okta, whole, half)).toBe(true);
    expect(movesSecret(turnkey, {}, { clientId: 't' })).toBe(false);
    expect(movesSecret(turnkey, { clientId: 't' }, { clientId: 'u' })).toBe(true);
  });

  it('would be seen to stay where a type did not say that one of its addresses decides', () => {
    const planted = defineProviderType({ ...sms, oneOf: [] });
    expect(movesSecret(planted, GATEWAY, { ...GATEWAY, ...ACCOUNT })).toBe(false);
  });
});
