import { describe, expect, it } from '@jest/globals';
import { codeMail } from './code-mail.js';
import { escapeHtml, singleLine } from './mail-text.js';

const mail = (brand: string) => codeMail({ brand, code: '012345', minutes: 10, publicUrl: 'https://id.example.com' });

describe('the mail with a one-time code', () => {
  it('shows the code in subject, text and HTML, and for how long it works', () => {
    const { subject, text, html } = mail('Acme');
    expect(subject).toBe('012345 is your code for Acme');
    expect(text).toContain('Your code for Acme is 012345.');
    expect(text).toContain('within 10 minutes');
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
});

describe('text of mails', () => {
  it('escapes the five characters that HTML reads', () => {
    expect(escapeHtml(`a<b>&"'`)).toBe('a&lt;b&gt;&amp;&quot;&#39;');
  });

  it('is one line of at most 100 characters', () => {
    expect(singleLine(' a\n\u0000\u2028b ')).toBe('a b');
    expect(singleLine('x'.repeat(500))).toHaveLength(100);
  });
});
