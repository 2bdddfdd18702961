import { isIPv4 } from 'node:net';

/** What a name server says of a name: addresses of both kinds, another name, or nothing good. */
export type Entry =
  | { readonly addresses: readonly string[] }
  /** Each question gets the next of them, as when a name is bound anew between two questions. */
  | { readonly turns: readonly string[] }
  | { readonly alias: string }
  | 'failure'
  | 'silence';

/** By name, in lower case. A name that is missing does not exist. */
export type Zone = ReadonlyMap<string, Entry>;

export interface ZoneRecord {
  readonly type: 'A' | 'AAAA' | 'CNAME';
  readonly name: string;
  readonly data: string;
}

/** @param turn how often the name was asked for before */
export function findAnswers(
  zone: Zone,
  type: string,
  name: string,
  turn: number,
): readonly ZoneRecord[] | 'failure' | 'silence' | 'unknown' {
  const entry = zone.get(name);
  if (entry === undefined) return 'unknown';
  if (typeof entry === 'string') return entry;
  if ('alias' in entry) {
    const target = findAnswers(zone, type, entry.alias, turn);
    if (typeof target === 'string') return target;
    return [{ type: 'CNAME', name, data: entry.alias }, ...target];
  }
  // Of names that turn there are only addresses of version 4, so that each lookup takes one turn of that type.
  const addresses =
    'turns' in entry ? entry.turns.slice((turn >> 1) % entry.turns.length).slice(0, 1) : entry.addresses;
  const records = addresses.map((data): ZoneRecord => ({ type: isIPv4(data) ? 'A' : 'AAAA', name, data }));
  return records.filter((record) => record.type === type);
}
