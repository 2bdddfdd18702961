import { describe, expect, it } from '@jest/globals';
import { appearanceProblems, type Appearance } from './appearance.js';

const FINE: Appearance = {
  walletName: 'Ann & Bob’s Wallet',
  popupPageTitle: 'Zahlen mit Ähre – 100 %',
  walletIconUrl: 'https://cdn.example.com/icon.PNG?v=2',
  customCssUrl: 'https://cdn.example.com/wallet.css',
  termsOfServiceUrl: 'https://example.com/terms#top',
  privacyPolicyUrl: '',
  termsOfServiceAndPrivacyPolicyMarkdown:
    '# Terms\n\nRead *all* of [our terms](https://example.com/terms?a=1&b=2), AT&T.\n\n- one\n- two > three\n\n`code`',
  customMenuLinks: [{ label: 'Help!', url: 'https://example.com/help' }],
  enableLoginWithExternalWallets: true,
};

const IN_URLS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'java\tscript:alert`1`',
  '\u0001javascript:alert(1)',
  'javascript://example.com/%0aalert(1)//a.css',
  'javascript:alert(1)//.png',
  'data:text/html,<script>alert(1)</script>',
  'data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+.svg',
  'data:text/css,*{background:url(//evil.example)}.css',
  'vbscript:msgbox(1)',
  'blob:https://example.com/1.svg',
  'file:///etc/passwd.css',
  'filesystem:https://example.com/a.css',
  'view-source:https://example.com/a.css',
  'http://example.com/a.css',
  '//example.com/a.css',
  '/a.css',
  'a.css',
  'https:a.css',
  'https:/example.com/a.css',
  'https:///example.com/a.css',
  'https:\\\\example.com\\a.css',
  'https://user:secret@example.com/a.css',
  'https://example.com@evil.example/a.css',
  'https://example.com/a.css" onload="alert(1)',
  "https://example.com/a.css' onerror='alert(1)",
  'https://example.com/"><script>alert(1)</script>.css',
  'https://example.com/a.css);}*{background:url(javascript:alert(1))',
  'https://example.com/a b.css',
  'https://example.com/a.css\u202e',
  'https://exam\u200bple.com/a.css',
  'https://example.com/{}.css',
  'https://[::1/a.css',
  `https://example.com/${'a'.repeat(2_048)}.css`,
];

const IN_MARKDOWN = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '<!-- --><iframe srcdoc="x">',
  '<javascript:alert(1)>',
  '<https://example.com>',
  '`<b>`',
  '&lt;script&gt;',
  '[x](javascript:alert(1))',
  '[x](JAVASCRIPT:alert`1`)',
  '[x]( javascript:alert`1`)',
  '[x](\njavascript:alert`1`)',
  '[x](<javascript:alert`1`>)',
  '[x](javascript&colon;alert`1`)',
  '[x](&#106;avascript:alert`1`)',
  '[x](&#x6A;avascript:alert`1`)',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](vbscript:msgbox)',
  '[x](//evil.example)',
  '[x](/\\evil.example)',
  '[x](http://example.com)',
  '[x](https://example.com "onmouseover=alert`1`")',
  '[x](https://example.com',
  '[x](https://example.com\\)',
  '[x] (javascript:alert`1`)',
  '[a [b](javascript:alert`1`) c](https://example.com)',
  '![x](https://example.com/pixel.png)',
  '![x](javascript:alert`1`)',
  '[x][1]\n\n[1]: javascript:alert(1)',
  '[1]: https://example.com\n\n[1]',
  'a\u0000b',
  'a\u202eb',
  'a\u2028b',
];

const IN_TEXT = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</title><script>alert(1)</script>',
  '<b>',
  'a\u0000',
  'a\r\nSet-Cookie: x',
  'Wallet\u202egnp',
  'Wal\u200blet',
];

const fieldsOf = (appearance: Partial<Appearance>): string[] =>
  appearanceProblems({ ...FINE, ...appearance }).map((problem) => problem.slice(0, problem.indexOf(':')));

describe('the appearance of a global wallet', () => {
  it('is taken as it is where nothing of it can be executed', () => {
    expect(appearanceProblems(FINE)).toEqual([]);
    expect(appearanceProblems({ walletName: 'x' })).toEqual([]);
  });

  it(`has at least 60 ways to be refused`, () => {
    const payloads = [...IN_URLS, ...IN_MARKDOWN, ...IN_TEXT];
    expect(new Set(payloads).size).toBeGreaterThanOrEqual(60);
  });

  it.each(IN_URLS)('has no address %j, in whichever field', (url) => {
    const everywhere = {
      ...{ walletIconUrl: url, customCssUrl: url, termsOfServiceUrl: url, privacyPolicyUrl: url },
      customMenuLinks: [{ label: 'x', url }],
    };
    expect(fieldsOf(everywhere)).toEqual([...Object.keys(everywhere).slice(0, 4), 'customMenuLinks.0.url']);
  });

  it.each(IN_MARKDOWN)('has no Markdown %j', (text) => {
    expect(fieldsOf({ termsOfServiceAndPrivacyPolicyMarkdown: text })).toEqual([
      'termsOfServiceAndPrivacyPolicyMarkdown',
    ]);
    expect(fieldsOf({ termsOfServiceAndPrivacyPolicyMarkdown: `Fine.\n\n${text}\n\nFine.` })).toHaveLength(1);
  });

  it.each(IN_TEXT)('has no name, title or label %j', (text) => {
    const everywhere = {
      walletName: text,
      popupPageTitle: text,
      customMenuLinks: [{ label: text, url: 'https://example.com' }],
    };
    expect(fieldsOf(everywhere)).toEqual(['walletName', 'popupPageTitle', 'customMenuLinks.0.label']);
  });

  it.each([' ', '\u3164', '\u2800'])('has no label %j', (label) => {
    expect(fieldsOf({ customMenuLinks: [{ label, url: 'https://example.com' }] })).toEqual(['customMenuLinks.0.label']);
  });

  it.each([
    ['walletIconUrl', 'https://example.com/icon.exe'],
    ['walletIconUrl', 'https://example.com/icon?x=.png'],
    ['customCssUrl', 'https://example.com/wallet.js'],
    ['customCssUrl', 'https://example.com/#.css'],
    ['walletName', '  '],
    ['walletName', '\u3164'],
  ])('has no %s %j', (field, value) => {
    expect(fieldsOf({ [field]: value })).toEqual([field]);
  });
});
