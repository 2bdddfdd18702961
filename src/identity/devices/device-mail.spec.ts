import { describe, expect, it } from '@jest/globals';
import { timeInMail } from '../../providers/index.js';
import { LANGUAGES } from '../notices/languages.js';
import { deviceMail } from './device-mail.js';

const at = new Date('2026-01-02T03:04:05Z');
const mail = (language: string | null, brand = 'Acme', userAgent: string | null = 'Browser/1') =>
  deviceMail({ brand, token: 'ABCD-EFGH', minutes: 15, at, userAgent, language });

describe('the message that confirms a new device', () => {
  it.each(LANGUAGES.map((language) => [language.code, language] as const))(
    'in %s shows the token, for how long it works, when and with what, and has no link',
    (code, { when, with: by, newDevice }) => {
      const { subject, text, html } = mail(`${code}-XX`);
      expect(subject).toBe(newDevice.subject.replace('{brand}', 'Acme'));
      expect(text).toContain(`${when}: ${timeInMail(at, code)}`);
      expect(text).toContain(`${by}: Browser/1`);
      expect(text).toContain(newDevice.entry.replace('{token}', 'ABCD-EFGH'));
      expect(text).toContain('15');
      expect(html).toContain('<strong>ABCD-EFGH</strong>');
      expect(html).toContain(`<html lang="${code}">`);
      for (const body of [text, html]) expect(body).not.toMatch(/https?:|\{|undefined/);
    },
  );

  it.each([null, '', 'xx', '../english', 'constructor'])('is in English for the language %p', (language) => {
    expect(mail(language)).toEqual(mail('en'));
  });

  it('lets nobody write lines or markup of their own into it', () => {
    const { subject, text, html } = mail(
      'en',
      'A\r\nBcc: {token} evil.example.com',
      '<script>\r\ny of evil.example.com',
    );
    expect(subject).not.toMatch(/[\r\n]|ABCD|evil\.example/);
    expect(text).toContain('With: script y of evil·example·com');
    expect(html).not.toContain('<script>');
  });
});
