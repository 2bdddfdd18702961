import { describe, expect, it } from '@jest/globals';
import { codeMail } from './code-mail.js';
import { acceptedLanguage, LANGUAGES } from '../../notices/languages.js';

const mail = (brand: string, language: string | null = null) =>
  codeMail({ brand, language, code: '012345', minutes: 10, publicUrl: 'https://id.example.com' });

describe('the mail with a one-time code', () => {
  it('shows the code in subject, text and HTML, and for how long it works', () => {
    const { subject, text, html } = mail('Acme');
    expect(subject).toBe('012345 is your code for Acme');
    expect(text).toContain('Your code for Acme is 012345.');
    expect(text).toContain('expires after 10 minutes');
    expect(html).toContain('<strong>012345</strong>');
  });

  it('names the configured host and has no link', () => {
    const { text, html } = mail('Acme');
    expect(text).toContain('Sent by id.example.com for Acme.');
    expect(`${text}${html}`).not.toMatch(/https?:|href|src=/);
  });

  it.each([
    ['<img src=x onerror=alert(1)>', 'for img src=x onerror=alert 1 is'],
    [`"><script>'&`, 'for &quot; script &#39;&amp; is'],
  ])('writes the name %p without its markup', (brand, escaped) => {
    const { html } = mail(brand);
    expect(html).toContain(escaped);
    expect(html).not.toContain(brand);
  });

  it('keeps a name with line breaks out of the header', () => {
    expect(mail('Acme\r\nBcc: eve@example.com').subject).toBe('012345 is your code for Acme Bcc: eve·example·com');
    expect(mail('').subject).toBe('012345 is your code for Gatehouse');
  });

  it('is told in the language of its reader, or else in English', () => {
    for (const none of [null, '', 'xx', 'en-GB', '../english']) expect(mail('Acme', none)).toEqual(mail('Acme', 'en'));
    expect(mail('Acme', 'de-AT').subject).toBe('012345 ist Ihr Code für Acme');
    for (const { code } of LANGUAGES) {
      const { subject, text, html } = mail('Acme', `${code}-XX`);
      expect(html).toContain(`<html lang="${code}">`);
      expect(html).toContain('<strong>012345</strong>');
      expect(`${subject}${text}${html}`).not.toMatch(/\{|undefined/);
    }
  });
});

describe('the language that a browser accepts', () => {
  it.each([
    ['de', 'de'],
    ['de-AT,en;q=0.8', 'de'],
    ['fr,de;q=0.5,en;q=0.7', 'en'],
    ['en;q=0.1, DE;q=0.2', 'de'],
    ['de;q=0', null],
    ['fr-FR', null],
    ['*', null],
    ['', null],
    [';;;q=,,', null],
    [null, null],
  ])('of %p is %p', (header, language) => {
    expect(acceptedLanguage(header)).toBe(language);
  });
});
