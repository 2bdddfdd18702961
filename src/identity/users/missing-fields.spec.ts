import { describe, expect, it } from '@jest/globals';
import type { VerifiedCredential } from '../credentials/verified-credential.dto.js';
import type { MissingField } from '../custom-fields/missing-field.dto.js';
import { missingFieldsOf } from './missing-fields.js';

const asked = (field: Partial<MissingField>): MissingField => ({
  name: 'alias',
  required: true,
  enabled: true,
  unique: false,
  verify: false,
  ...field,
});
const custom = (field: Partial<MissingField>): MissingField => asked({ name: 'colour', type: 'custom', ...field });
const box = (field: Partial<MissingField>): MissingField => custom({ validationType: 'checkbox', ...field });

describe('what is missing from a profile', () => {
  it('is nothing where nothing is asked for or all of it is there', () => {
    expect(missingFieldsOf(null, { alias: null })).toBeNull();
    expect(missingFieldsOf([], { alias: null })).toBeNull();
    expect(missingFieldsOf([asked({})], { alias: 'Ada' })).toBeNull();
  });

  it('is told in the order in which it is asked for', () => {
    const [first, second, third] = [custom({ name: 'b' }), asked({ name: 'team' }), custom({ name: 'a' })];
    expect(missingFieldsOf([first, second, third], { team: 'blue', metadata: {} })).toEqual([first, third]);
  });

  it.each<[string, MissingField, object, boolean]>([
    ['a text that is empty', asked({}), { alias: '' }, true],
    ['a text that is there', asked({}), { alias: ' Ada ' }, false],
    ['a text of spaces', asked({}), { alias: ' \u00A0\t\n' }, true],
    ['a text of marks that nobody sees', asked({}), { alias: '\u200B\u2060\uFEFF\u3164\u2800\u00AD' }, true],
    ['a text of another script', asked({}), { alias: '\u05D0\u200F' }, false],
    ['a picture with a mark that chooses its form', asked({}), { alias: '\u2764\uFE0F' }, false],
    ['a choice against mail', asked({ name: 'newsletterNotification' }), { newsletterNotification: false }, false],
    ['no choice', asked({ name: 'newsletterNotification' }), { newsletterNotification: null }, true],
    ['consent', asked({ name: 'policiesConsent' }), { policiesConsent: true }, false],
    ['consent that is refused', asked({ name: 'policiesConsent' }), { policiesConsent: false }, true],
    ['a field that nobody knows', asked({ name: 'shoeSize' }), {}, false],
    ['a name of every object', asked({ name: 'toString' }), {}, false],
    ['what is kept of the user and never asked for', asked({ name: 'metadata' }), { metadata: null }, false],
    ['a custom field without metadata', custom({}), { metadata: null }, true],
    ['a custom field that is null', custom({}), { metadata: { colour: null } }, true],
    ['a custom field that is empty', custom({}), { metadata: { colour: '' } }, true],
    ['a custom field of spaces', custom({}), { metadata: { colour: ' \u200B' } }, true],
    ['a custom field that is zero', custom({}), { metadata: { colour: 0 } }, false],
    ['a custom field by a name of every object', custom({ name: 'toString' }), { metadata: {} }, true],
    ['a required box that is not ticked', box({}), { metadata: { colour: false } }, true],
    ['a required box with a text', box({}), { metadata: { colour: 'true' } }, true],
    ['a required box that is ticked', box({}), { metadata: { colour: true } }, false],
    ['an optional box that is not ticked', box({ required: false }), { metadata: { colour: false } }, false],
    ['an optional box that nobody saw', box({ required: false }), { metadata: {} }, true],
  ])('%s', (_case, field, user, isMissing) => {
    expect(missingFieldsOf([field], user)).toEqual(isMissing ? [field] : null);
  });
});

describe('a contact that is to be verified', () => {
  const email = asked({ name: 'email', verify: true });
  const phone = asked({ name: 'phoneNumber', verify: true });
  const verifiedAt = new Date();
  const credential = (fields: Partial<VerifiedCredential>): VerifiedCredential => ({
    ...{ id: '00000000-0000-7000-8000-000000000001', signInEnabled: true, format: 'email' },
    ...fields,
  });
  const address = credential({ email: 'Ada@Example.com' });
  const number = credential({ format: 'phoneNumber', public_identifier: '+4930123456' });

  it.each<[string, MissingField, object, VerifiedCredential[], boolean]>([
    ['is missing where there is none', email, {}, [], true],
    ['is missing while it was only stated', email, { email: 'ada@example.com' }, [address], true],
    ['is there once it was proven', email, { email: 'ada@example.com' }, [{ ...address, verifiedAt }], false],
    ['is missing while another was proven', email, { email: 'eve@example.com' }, [{ ...address, verifiedAt }], true],
    ['is missing as a number that is none', phone, { phoneNumber: 'home' }, [{ ...number, verifiedAt }], true],
    ['is there as a number that was proven', phone, { phoneNumber: '+4930123456' }, [{ ...number, verifiedAt }], false],
    ['is missing as a number that was stated', phone, { phoneNumber: '+4930123456' }, [], true],
    ['need not be proven where nobody asks', asked({ name: 'email' }), { email: 'ada@example.com' }, [], false],
  ])('%s', (_case, field, user, credentials, isMissing) => {
    expect(missingFieldsOf([field], user, credentials)).toEqual(isMissing ? [field] : null);
  });
});
