import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from '../../notices/languages.js';
import { codeText } from './code-text.js';

const text = (brand: string, language: string | null = null) =>
  codeText({ brand, language, code: '012345', minutes: 5 });

describe('the text message with a one-time code', () => {
  it('is told in the language of its reader, or else in English', () => {
    expect(text('Acme')).toBe('012345 is your code for Acme. It works once, within 5 minutes. Do not share it.');
    for (const none of ['', 'xx', 'en-GB', '../english', 'constructor']) expect(text('Acme', none)).toBe(text('Acme'));
    expect(text('Acme', 'de-AT')).toBe(
      '012345 ist Ihr Code für Acme. Er ist einmal und 5 Minuten lang gültig. Geben Sie ihn nicht weiter.',
    );
  });

  it('begins with the code in every language, and leaves nothing to be filled in', () => {
    for (const { code } of LANGUAGES)
      for (const brand of ['Acme', '東京', 'x'.repeat(100)])
        expect(text(brand, code)).toMatch(/^012345 (?!.*(?:\{|undefined))/);
  });

  it.each([
    ['en', 'x'.repeat(85), 160, 'within 5 minutes'],
    ['en', 'x'.repeat(86), 128, null],
    ['de', 'Ä'.repeat(60), 154, '5 Minuten'],
    ['de', 'Ä'.repeat(90), 143, null],
    ['en', '東京のお店', 47, null],
    ['de', 'Łódź', 57, null],
    ['en', 'Acme.com', 50, null],
  ])('in %s for %s is one message of %i characters', (language, brand, length, lasts) => {
    const written = text(brand, language);
    expect(written).toHaveLength(length);
    if (lasts) expect(written).toContain(lasts);
    else expect(written).not.toMatch(/minute/i);
  });

  it('writes a name without lines, links or placeholders of its own', () => {
    expect(text('A\r\nhttps://evil.example {code}')).toMatch(/^012345 is your code for A https·evil·example code\. /);
  });
});
