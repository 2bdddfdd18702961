import { isVisible } from '../../common/visible-text.js';
import type { GlobalWalletSettingsCreateRequest } from './global-wallet.dto.js';

/** The settings of a global wallet except their id and whether they are enabled. */
export type Appearance = GlobalWalletSettingsCreateRequest;

const MAX_URL_LENGTH = 2_048;
/** Characters that end an attribute, a CSS `url()` or a link destination, and white space. */
const BREAKS_OUT = /[\s"'<>\\`(){}|^\p{Cc}\p{Cf}]/u;
/** C0 and C1 controls and invisible characters, such as those that change the text direction. */
const INVISIBLE = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
/** The same, except line feed, carriage return and tab. */
const INVISIBLE_IN_LINES = /(?![\n\r\t])[\p{Cc}\p{Cf}\u2028\u2029]/u;
/** CommonMark 0.31 §2.5: a reference would be decoded to its character, in link destinations too. */
const CHARACTER_REFERENCE = /&(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);/iu;
/** CommonMark 0.31 §6.3, inline links: the part after the link text. */
const LINK = /\](?<rest>\s*\()(?<destination>[^)]*)(?<end>\)?)/gu;

const ENDINGS: Partial<Record<keyof Appearance, RegExp>> = {
  walletIconUrl: /\.(png|svg)$/i,
  customCssUrl: /\.css$/i,
};
const URL_FIELDS = ['walletIconUrl', 'customCssUrl', 'termsOfServiceUrl', 'privacyPolicyUrl'] as const;

/** Why a browser should not be sent to an address; null when it may be. */
function urlProblem(text: string, ending?: RegExp): string | null {
  if (text.length > MAX_URL_LENGTH) return `at most ${MAX_URL_LENGTH} characters`;
  if (BREAKS_OUT.test(text)) return 'spaces, quotes, brackets and control characters have to be percent-encoded';
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!/^https:\/\/[^/]/i.test(text) || url?.protocol !== 'https:') return 'an absolute https URL is needed';
  if (url.username !== '' || url.password !== '') return 'credentials do not belong into a URL';
  return ending === undefined || ending.test(url.pathname) ? null : `the path has to end as in ${ending.source}`;
}

function textProblem(text: string): string | null {
  if (INVISIBLE.test(text)) return 'control and invisible characters are refused';
  return /[<>]/.test(text) ? 'plain text has no < and >' : null;
}

/** Markdown that every renderer treats the same: text, emphasis, lists, and links to https. */
function markdownProblem(text: string): string | null {
  if (INVISIBLE_IN_LINES.test(text)) return 'control and invisible characters are refused';
  if (text.includes('<')) return 'HTML and autolinks are refused: write [text](https://...)';
  if (CHARACTER_REFERENCE.test(text)) return 'character references such as &amp; are refused';
  if (/!\s*\[/u.test(text)) return 'images are refused';
  if (/\]\s*:/u.test(text)) return 'link definitions are refused: write [text](https://...)';
  for (const { groups } of text.matchAll(LINK)) {
    const { rest, destination = '', end } = groups!;
    if (rest !== '(' || end !== ')') return 'a link is written as [text](https://...), without spaces';
    const problem = urlProblem(destination);
    if (problem !== null) return `a link leads nowhere: ${problem}`;
  }
  return null;
}

/**
 * Reasons not to show an appearance to end users, each beginning with the name of its field. Anything that one of the
 * places it is shown (text, attributes, style sheets, Markdown) might execute is refused; nothing is repaired, since
 * the result of a repair may be executable again.
 */
export function appearanceProblems(appearance: Appearance): string[] {
  const { walletName, popupPageTitle = '', termsOfServiceAndPrivacyPolicyMarkdown = '' } = appearance;
  const problems: [string, string | null][] = [
    ['walletName', !isVisible(walletName) ? 'a wallet needs a name' : textProblem(walletName)],
    ['popupPageTitle', textProblem(popupPageTitle)],
    ['termsOfServiceAndPrivacyPolicyMarkdown', markdownProblem(termsOfServiceAndPrivacyPolicyMarkdown)],
    ...URL_FIELDS.map((field): [string, string | null] => {
      const text = appearance[field] ?? '';
      return [field, text === '' ? null : urlProblem(text, ENDINGS[field])];
    }),
    ...(appearance.customMenuLinks ?? []).flatMap(({ label, url }, at): [string, string | null][] => [
      [`customMenuLinks.${at}.label`, isVisible(label) ? textProblem(label) : 'a link needs a label'],
      [`customMenuLinks.${at}.url`, urlProblem(url)],
    ]),
  ];
  return problems.flatMap(([field, problem]) => (problem === null ? [] : [`${field}: ${problem}`]));
}
