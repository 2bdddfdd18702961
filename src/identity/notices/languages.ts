import type { AccountChange, Language, Words } from './account-words.js';
import { ENGLISH } from './languages/english.js';
import { GERMAN } from './languages/german.js';

/** A new language is a file of `languages/` and a word here. */
export const LANGUAGES: readonly Language[] = [ENGLISH, GERMAN];

/** What a change is told in: the texts, and the language that they are of. */
export interface Told extends Words, Pick<Language, 'code' | 'when' | 'with'> {}

/** @param tag a language of BCP 47, such as `de-AT`, as the user's metadata say; English for anything else */
export function wordsOf(change: AccountChange, tag: string | null): Told {
  const wanted = tag?.toLowerCase().split(/[-_]/)[0];
  const language = LANGUAGES.find(({ code, changes }) => code === wanted && changes[change]) ?? ENGLISH;
  const { code, when, with: by, changes } = language;
  return { ...(changes[change] ?? ENGLISH.changes[change]), code, when, with: by };
}
