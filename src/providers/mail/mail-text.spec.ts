import { describe, expect, it } from '@jest/globals';
import { escapeHtml, nameInMail, singleLine, timeInMail } from './mail-text.js';

describe('a name that somebody chose, in a mail', () => {
  it.each([
    ['Looms & Sons Inc.', 'Looms & Sons Inc.'],
    ['Köln — 東京', 'Köln — 東京'],
    ['v1.2 beta', 'v1.2 beta'],
    ['Booking.com', 'Booking·com'],
    ['see https://evil.example/login?x=1 now', 'see https·evil·example·login?x=1 now'],
    ['www.evil.xyz', 'www·evil·xyz'],
    ['(evil.co.uk)', 'evil·co·uk'],
    ['write to eve@evil.example', 'write to eve·evil·example'],
    ['http://127.0.0.1', 'http·127·0·0·1'],
    ['<a href="x">click</a> **bold** [here]', 'a href="x" click /a bold here'],
    ['ｅｖｉｌ．ｃｏｍ', 'evil·com'],
    ['txt\u202Emoc.live', 'txt moc·live'],
    ['Acme,EVIL.com', 'Acme,EVIL·com'],
    ['see:evil.com/login', 'see·evil·com·login'],
    ['Acme"evil.com\'s', 'Acme"evil·com\'s'],
    ['a=www.evil.xyz&x', 'a=www·evil·xyz&x'],
    ['evil.com;x', 'evil·com;x'],
    ['a\u2026evil.com', 'a·evil·com'],
    ['Acme,1.2.3.4:80', 'Acme,1·2·3·4·80'],
    ['Chrome/120.0.0.0 node.js/v1.2', 'Chrome/120.0.0.0 node.js/v1.2'],
    ['a\nb\u0000c', 'a b c'],
    ['', ''],
  ])('%j has neither addresses nor markup: %j', (given, shown) => expect(nameInMail(given)).toBe(shown));
});

describe('text of mails', () => {
  it('escapes the five characters that HTML reads', () => {
    expect(escapeHtml(`a<b>&"'`)).toBe('a&lt;b&gt;&amp;&quot;&#39;');
  });

  it('is one line of at most 100 characters', () => {
    expect(singleLine(' a\n\u0000\u2028b ')).toBe('a b');
    expect(singleLine('x'.repeat(500))).toHaveLength(100);
    expect(singleLine(`${'x'.repeat(99)}🦊`)).toBe('x'.repeat(99));
  });

  it.each([
    ['en', 'Friday, January 2, 2026 at 00:04:05 UTC'],
    ['de', 'Freitag, 2. Januar 2026 um 00:04:05 UTC'],
  ])('tells a time in %s with day, month, second and zone: %s', (language, told) => {
    expect(timeInMail(new Date('2026-01-02T00:04:05.678Z'), language)).toBe(told);
  });
});
