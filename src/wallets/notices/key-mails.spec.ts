import { describe, expect, it } from '@jest/globals';
import { timeInMail } from '../../providers/index.js';
import { KEY_LANGUAGES, keyMail } from './key-mails.js';
import { KEY_CHANGES } from './key-words.js';

const at = new Date('2026-01-02T03:04:05Z');
const until = new Date('2026-02-01T03:04:05Z');

describe('the message about a key', () => {
  it.each(KEY_CHANGES)('%s says what happened, when and with what, in text and HTML, and has no link', (change) => {
    for (const { code, when } of KEY_LANGUAGES) {
      const language = `${code}-XX`;
      const mail = keyMail({ change, brand: 'Acme', address: '0xabc', at, until, userAgent: 'Browser/1', language });
      expect(mail.subject).toContain('Acme');
      for (const body of [mail.text, mail.html]) {
        expect(body).toContain(`${when}: ${timeInMail(at, code)}`);
        expect(body).toContain('Browser/1');
        expect(body).not.toMatch(/https?:|\{|undefined/);
      }
      expect(mail.html).toContain(`<html lang="${code}">`);
    }
  });

  it('about access that was given names the wallet and the end of it in each language', () => {
    for (const { code } of KEY_LANGUAGES) {
      const about = { brand: 'Acme', address: '0xabc', at, until, userAgent: null, language: code };
      const { text } = keyMail({ change: 'accessGiven', ...about });
      expect(text).toContain('0xabc');
      expect(text).toContain(timeInMail(until, code));
      expect(keyMail({ change: 'accessAllowed', ...about }).text).toContain('0xabc');
    }
  });

  it.each([null, '', 'xx', 'en-GB', 'constructor'])('is in English for the language %j', (language) => {
    const about = { change: 'exported', brand: 'Acme', address: '0xabc', at, userAgent: null } as const;
    expect(keyMail({ ...about, language })).toEqual(keyMail(about));
  });

  it('lets nobody write lines, markup or addresses of their own into it', () => {
    const hostile = {
      brand: 'A\r\nBcc: x at evil.example.com',
      address: '<b>{brand}</b>',
      userAgent: '<i>\r\ny of evil.example.com',
    };
    const { subject, text, html } = keyMail({ change: 'exported', at, ...hostile });
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text).not.toContain('evil.example.com');
    expect(text).toContain('With: i y of evil·example·com');
    expect(text).toContain('<b>{brand}</b>');
    expect(html).not.toMatch(/<b>|<i>/);
  });
});
