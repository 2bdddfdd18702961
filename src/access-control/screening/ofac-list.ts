import { addressKey } from './address-key.js';

/** A sanctioned address and its owner. */
export interface SanctionedAddress {
  address: string;
  /** The list's name for the currency: `XBT`, `ETH`, `USDT` … */
  currency: string;
  /** The list entry that contains it. */
  entry: string;
  name: string;
}

export interface SanctionsFile {
  /** As written by the publisher. */
  publishedOn: string | null;
  addresses: SanctionedAddress[];
}

/** Text that is not one of the published files, or is truncated. */
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

/** `sdn.xml`, and other lists in the same format. */
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

/** `sdn_advanced.xml`: feature types are defined at the top and referenced by number in entries. */
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

/** The maximum size of an entry; a file exceeding it is rejected. */
const MOST_OF_AN_ENTRY = 32 * 1024 * 1024;

/**
 * All digital currency addresses in an OFAC list published as XML. Entries are streamed, as the file may exceed the
 * available memory.
 * @throws SanctionsFileError for any other file, and for a truncated one
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
