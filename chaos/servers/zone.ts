import { isIPv4 } from 'node:net';

/** A name server's records for a name: addresses of both kinds, an alias, or a failure. */
export type Entry =
  | { readonly addresses: readonly string[] }
  /** Each query gets the next address, as with DNS rebinding. */
  | { readonly turns: readonly string[] }
  | { readonly alias: string }
  | 'failure'
  | 'silence';

/** By lower-case name. A missing name does not exist. */
export type Zone = ReadonlyMap<string, Entry>;

export interface ZoneRecord {
  readonly type: 'A' | 'AAAA' | 'CNAME';
  readonly name: string;
  readonly data: string;
}

/** @param turn how often the name was queried before */
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
  // Rebinding names only have IPv4 addresses, so that each lookup uses one turn.
  const addresses =
    'turns' in entry ? entry.turns.slice((turn >> 1) % entry.turns.length).slice(0, 1) : entry.addresses;
  const records = addresses.map((data): ZoneRecord => ({ type: isIPv4(data) ? 'A' : 'AAAA', name, data }));
  return records.filter((record) => record.type === type);
}
