import { nameInMail } from '../../../providers/index.js';
import { textMessageWordsOf } from '../../notices/languages.js';

/** The contents of a text message with a one-time code. */
export interface CodeText {
  /** The environment's name, from its settings. */
  brand: string;
  code: string;
  /** The validity of the code, in minutes. */
  minutes: number;
  /** A BCP 47 tag; English if null. */
  language: string | null;
}

/** 3GPP TS 23.038, section 6.2.1: the default alphabet, without the characters of its extension table. */
const DEFAULT_ALPHABET = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]*$/;

/** Vendors bill by the message of 140 octets: 160 characters of the default alphabet, or 70 of UTF-16. */
const isOneMessage = (text: string): boolean => text.length <= (DEFAULT_ALPHABET.test(text) ? 160 : 70);

/** The text message with a one-time code, shortened if it would be billed as two. */
export function codeText({ brand, code, minutes, language }: CodeText): string {
  const values: Record<string, string> = { brand: nameInMail(brand) || 'Gatehouse', code, minutes: String(minutes) };
  const filled = (text: string): string => text.replace(/\{(\w+)\}/g, (_, one: string) => values[one] ?? '');
  const words = textMessageWordsOf(language);
  const full = filled(words.full);
  return isOneMessage(full) ? full : filled(words.short);
}
