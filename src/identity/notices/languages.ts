import type { AccountChange, Language, NewDeviceWords, Words } from './account-words.js';
import { ENGLISH } from './languages/english.js';
import { GERMAN } from './languages/german.js';

/** A new language is a file of `languages/` and a word here. */
export const LANGUAGES: readonly Language[] = [ENGLISH, GERMAN];

type Said = Pick<Language, 'code' | 'when' | 'with'>;

/** What a change is told in: the texts, and the language that they are of. */
export interface Told extends Words, Said {}

/** @param tag a language of BCP 47, such as `de-AT`, as the user's metadata say; English for anything else */
export function wordsOf(change: AccountChange, tag: string | null): Told {
  const wanted = languageOf(tag);
  const language = wanted.changes[change] ? wanted : ENGLISH;
  const { code, when, with: by, changes } = language;
  return { ...(changes[change] ?? ENGLISH.changes[change]), code, when, with: by };
}

/** The same for the message that carries the token of a new device. */
export function newDeviceWordsOf(tag: string | null): NewDeviceWords & Said {
  const { code, when, with: by, newDevice } = languageOf(tag);
  return { ...newDevice, code, when, with: by };
}

function languageOf(tag: string | null): Language {
  const wanted = tag?.toLowerCase().split(/[-_]/)[0];
  return LANGUAGES.find(({ code }) => code === wanted) ?? ENGLISH;
}
