import { addressKey } from './address-key.js';

/** An address of the list, and whose it is. */
export interface SanctionedAddress {
  address: string;
  /** What the list calls the currency: `XBT`, `ETH`, `USDT` … */
  currency: string;
  /** The entry of the list it stands in. */
  entry: string;
  name: string;
}

export interface SanctionsFile {
  /** As the publisher writes it. */
  publishedOn: string | null;
  addresses: SanctionedAddress[];
}

/** A text that is not one of the published files, or not the whole of one. */
export class SanctionsFileError extends Error {
  override readonly name = 'SanctionsFileError';
}

interface Form {
  entryEnd: string;
  end: RegExp;
  publishedOn: (head: string) => string | null;
  read: (entry: string, head: string) => SanctionedAddress[];
}

const WHAT = String.raw`Digital Currency Address - ([A-Z0-9]+)`;
const decoded = (text: string): string =>
  text
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&apos;/g, "'")
    .replace(/&amp;/g, '&')
    .trim();
const inside = (tag: string, text: string): string =>
  decoded(new RegExp(`<${tag}(?:\\s[^>]*)?>([^<]*)</${tag}>`).exec(text)?.[1] ?? '');

/** `sdn.xml`, and other lists in its form. */
const PLAIN: Form = {
  entryEnd: '</sdnEntry>',
  end: /<\/sdnList>/,
  publishedOn: (head) => inside('Publish_Date', head) || null,
  read: (entry) => {
    const ids = entry.matchAll(new RegExp(`<idType>${WHAT}</idType>\\s*<idNumber>([^<]+)</idNumber>`, 'g'));
    const name = [inside('firstName', entry), inside('lastName', entry)].filter(Boolean).join(' ');
    const about = { entry: inside('uid', entry), name };
    return [...ids].map(([, currency, address]) => ({ address: decoded(address!), currency: currency!, ...about }));
  },
};

/** `sdn_advanced.xml`: the kinds of features stand at its head, and entries refer to them by number. */
const ADVANCED: Form = {
  entryEnd: '</DistinctParty>',
  end: /<\/Sanctions>/,
  publishedOn: (head) => {
    const date = /<DateOfIssue\b[^>]*>([\s\S]*?)<\/DateOfIssue>/.exec(head)?.[1] ?? '';
    const parts = ['Year', 'Month', 'Day'].map((part) => inside(part, date).padStart(2, '0'));
    return parts[0] === '00' ? null : parts.join('-');
  },
  read: (entry, head) => {
    const kinds = new Map(
      [...head.matchAll(new RegExp(`<FeatureType\\s[^>]*?\\bID="(\\d+)"[^>]*>${WHAT}</FeatureType>`, 'g'))].map(
        ([, id, currency]) => [id!, currency!] as const,
      ),
    );
    const about = {
      entry: /<DistinctParty\s[^>]*?\bFixedRef="(\d+)"/.exec(entry)?.[1] ?? '',
      name: [...entry.matchAll(/<NamePartValue\b[^>]*>([^<]*)<\/NamePartValue>/g)].map(([, part]) => part!)[0] ?? '',
    };
    return [...entry.matchAll(/<Feature\s[^>]*?\bFeatureTypeID="(\d+)"[^>]*>([\s\S]*?)<\/Feature>/g)].flatMap(
      ([, kind, feature]) => {
        const currency = kinds.get(kind!);
        const details = feature!.matchAll(/<VersionDetail\b[^>]*>([^<]+)<\/VersionDetail>/g);
        if (currency === undefined) return [];
        return [...details].map(([, address]) => ({
          ...about,
          address: decoded(address!),
          currency,
          name: decoded(about.name),
        }));
      },
    );
  },
};

/** No entry is longer; what has no end is no such file. */
const MOST_OF_AN_ENTRY = 32 * 1024 * 1024;

/**
 * Every digital currency address in a list that the OFAC has published as XML, whatever the currency. Entries are read
 * one after the other: the file may be larger than the memory.
 * @throws SanctionsFileError for another file, and for one that was cut off
 */
export async function readOfacList(chunks: AsyncIterable<string>): Promise<SanctionsFile> {
  const found = new Map<string, SanctionedAddress>();
  let [form, head, rest]: [Form | null, string, string] = [null, '', ''];
  for await (const chunk of chunks) {
    rest += chunk;
    form ??= formOf(rest);
    if (rest.length > MOST_OF_AN_ENTRY) throw new SanctionsFileError('it is no list of the OFAC in XML');
    if (!form) continue;
    const entries = rest.split(form.entryEnd);
    rest = entries.pop()!;
    if (head === '' && entries[0] !== undefined) head = entries[0];
    for (const one of entries.flatMap((entry) => form!.read(entry, head))) found.set(addressKey(one.address), one);
  }
  if (!form) throw new SanctionsFileError('it is no list of the OFAC in XML: sdn.xml or sdn_advanced.xml');
  if (!form.end.test(rest)) throw new SanctionsFileError('its end is missing');
  return { publishedOn: form.publishedOn(head), addresses: [...found.values()] };
}

const formOf = (text: string): Form | null =>
  /<sdnList[\s>]/.test(text) ? PLAIN : /<Sanctions[\s>]/.test(text) ? ADVANCED : null;
