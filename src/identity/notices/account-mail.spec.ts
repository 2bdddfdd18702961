import { describe, expect, it } from '@jest/globals';
import { timeInMail } from '../../providers/index.js';
import { accountMail } from './account-mail.js';
import { CREDENTIAL_FORMATS } from '../vocabulary/users.js';
import { ACCOUNT_CHANGES } from './account-words.js';
import { LANGUAGES } from './languages.js';
import { ENGLISH } from './languages/english.js';

const at = new Date('2026-01-02T03:04:05Z');

describe('the message about a change of an account', () => {
  it.each(ACCOUNT_CHANGES)('%s says what happened, when and with what, and has no link', (change) => {
    const mail = accountMail({ change, brand: 'Acme', about: 'blockchain', at, userAgent: 'Browser/1' });
    expect(mail.subject).toContain('Acme');
    for (const body of [mail.text, mail.html]) {
      expect(body).toContain('When: Friday, January 2, 2026 at 03:04:05 UTC');
      expect(body).toContain('Browser/1');
      expect(body).not.toMatch(/https?:|\{/);
    }
  });

  it('lets nobody write lines or markup of their own into it', () => {
    const userAgent = '<script>\r\ny {brand} of https://evil.example.com, eve@evil.example';
    const hostile = { brand: 'A\r\nBcc: {detail} <b>x</b>', userAgent };
    for (const change of ACCOUNT_CHANGES) {
      const { subject, text, html } = accountMail({ change, about: 'email', at, ...hostile });
      expect(subject).not.toMatch(/[\r\n<>{]/);
      expect(text).toContain('With: script y brand of https·evil·example·com, eve·evil·example\n');
      for (const body of [text, html]) expect(body).not.toMatch(/<b>|<script>|evil\.|[@{]/);
    }
  });

  it.each(CREDENTIAL_FORMATS.values)('calls a credential of the format %s by a name of the language', (about) => {
    for (const { code: language, credentials } of LANGUAGES) {
      for (const change of ['credentialLinked', 'credentialUnlinked', 'mainContactChanged'] as const) {
        const { text } = accountMail({ change, brand: 'Acme', about, at, userAgent: null, language });
        expect(text).toContain(credentials[about]);
      }
    }
    const names = LANGUAGES.map(({ credentials }) => credentials[about]);
    expect(new Set(names).size).toBe(LANGUAGES.length);
  });

  it.each(ACCOUNT_CHANGES)('%s is told in the language of its reader, or else in English', (change) => {
    const told = (language: string | null) =>
      accountMail({ change, brand: 'Acme', about: 'email', at, userAgent: 'B', language });
    for (const none of [null, '', 'xx', 'en-GB', '../english', 'constructor']) {
      expect(told(none)).toEqual(told('en'));
    }
    for (const { code, when, changes } of LANGUAGES) {
      const { text, html } = told(`${code}-XX`);
      const words = changes[change] ?? ENGLISH.changes[change];
      const [label, tongue] = changes[change] ? [when, code] : [ENGLISH.when, 'en'];
      expect(text).toContain(`${label}: ${timeInMail(at, tongue)}\n`);
      expect(text).toContain(words.advice);
      expect(html).toContain(`<html lang="${changes[change] ? code : 'en'}">`);
      expect(text).not.toMatch(/\{|undefined/);
    }
  });

  it('makes no address of the name of an environment that mail programs would make a link of', () => {
    const { subject, text } = accountMail({ change: 'merged', brand: 'Win at evil.example.com', at, userAgent: null });
    expect(`${subject}${text}`).not.toContain('evil.example.com');
  });

  it('names the service where the environment has no name', () => {
    expect(accountMail({ change: 'erased', brand: '', at, userAgent: null }).subject).toContain('Gatehouse');
  });
});
