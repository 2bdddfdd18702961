import type { AccountChange, CodeWords, Language, NewDeviceWords, TextMessageWords, Words } from './account-words.js';
import { ENGLISH } from './languages/english.js';
import { GERMAN } from './languages/german.js';

/** To add a language, add a file to `languages/` and list it here. */
export const LANGUAGES: readonly Language[] = [ENGLISH, GERMAN];

/** BCP 47 codes. */
export const MAIL_LANGUAGES: readonly string[] = LANGUAGES.map(({ code }) => code);

type Said = Pick<Language, 'code' | 'when' | 'with'>;
type Named = Pick<Language, 'credentials'>;

/** The texts about a change, with their language. */
export interface NoticeWords extends Words, Said, Named {}

/** @param tag a BCP 47 tag from the user's metadata, such as `de-AT`; English for anything unknown */
export function wordsOf(change: AccountChange, tag: string | null): NoticeWords {
  const wanted = languageOf(tag);
  const language = wanted.changes[change] ? wanted : ENGLISH;
  const { code, when, with: by, credentials, changes } = language;
  return { ...(changes[change] ?? ENGLISH.changes[change]), code, when, with: by, credentials };
}

/** The texts for the mail with the token of a new device. */
export function newDeviceWordsOf(tag: string | null): NewDeviceWords & Said {
  const { code, when, with: by, newDevice } = languageOf(tag);
  return { ...newDevice, code, when, with: by };
}

/** The texts for the mail with a one-time code; `code` is their language. */
export const codeWordsOf = (tag: string | null): CodeWords & Pick<Language, 'code'> => {
  const { code, oneTimeCode } = languageOf(tag);
  return { ...oneTimeCode, code };
};

/** The text message with a one-time code. */
export const textMessageWordsOf = (tag: string | null): TextMessageWords => languageOf(tag).textMessage;

/**
 * The supported language that a browser prefers (RFC 9110, section 12.5.4); null if it lists none of them.
 */
export function acceptedLanguage(header: string | null): string | null {
  const named = (header ?? '').split(',').map((range, at) => {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((one) => one.startsWith('q='))?.slice(2);
    return { code: tag.split('-')[0], weight: weight === undefined ? 1 : Number(weight) || 0, at };
  });
  const known = named.filter(({ code, weight }) => weight > 0 && LANGUAGES.some((one) => one.code === code));
  return known.toSorted((one, other) => other.weight - one.weight || one.at - other.at)[0]?.code ?? null;
}

function languageOf(tag: string | null): Language {
  const wanted = tag?.toLowerCase().split(/[-_]/)[0];
  return LANGUAGES.find(({ code }) => code === wanted) ?? ENGLISH;
}
