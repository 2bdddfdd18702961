import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { bareHost, isHostName } from './host-name.js';
import { parseIpLiteral } from './ip-literal.js';

/** An invalid entry of `EGRESS_ALLOW`. The message is one line that names it. */
export class EgressAllowError extends Error {
  override readonly name = 'EgressAllowError';
}

/** A network as 4 or 16 bytes, of which the first `bits` bits count. */
interface Range {
  network: number[];
  bits: number;
}
interface HostEntry {
  host: string;
  port: number | null;
}
interface RangeEntry {
  range: Range;
  port: number | null;
}

/**
 * Destinations the operator trusts, read from `EGRESS_ALLOW`: comma-separated `host`, `host:port`, IP, `ip:port`,
 * `[ipv6]:port` or CIDR. An entry without a port stands for every port. A host entry covers whatever the name resolves
 * to; an address entry covers every name that resolves into it.
 */
export class EgressAllowList {
  private constructor(
    private readonly hosts: readonly HostEntry[],
    private readonly ranges: readonly RangeEntry[],
  ) {}

  /** @throws EgressAllowError about the first entry it cannot read. */
  static parse(text: string): EgressAllowList {
    const hosts: HostEntry[] = [];
    const ranges: RangeEntry[] = [];
    for (const item of text.split(',')) {
      const entry = item.trim();
      if (entry === '') continue;
      const parsed = parseRange(entry) ?? parseHost(entry);
      if ('range' in parsed) ranges.push(parsed);
      else hosts.push(parsed);
    }
    return new EgressAllowList(hosts, ranges);
  }

  /** `host` is bare (no brackets, no root dot) and lower case, as returned by {@link bareHost} for a parsed URL. */
  allowsHost(host: string, port: number): boolean {
    if (this.hosts.some((entry) => entry.host === host && covers(entry.port, port))) return true;
    return this.allowsAddress(host, port);
  }

  /** False for anything that is not an IP literal. */
  allowsAddress(address: string, port: number): boolean {
    const bytes = this.ranges.length === 0 ? undefined : parseIpLiteral(address)?.toByteArray();
    return bytes !== undefined && this.ranges.some((entry) => contains(entry.range, bytes) && covers(entry.port, port));
  }
}

function covers(entryPort: number | null, port: number): boolean {
  return entryPort === null || entryPort === port;
}

function contains({ network, bits }: Range, address: number[]): boolean {
  return network.length === address.length && network.every((byte, at) => byte === masked(address[at] ?? 0, at, bits));
}

/** The byte at position `at` with every bit past the prefix cleared. */
function masked(byte: number, at: number, bits: number): number {
  const kept = Math.min(8, Math.max(0, bits - 8 * at));
  return byte & ~(0xff >> kept);
}

function parseRange(entry: string): RangeEntry | null {
  const cidr = /^([0-9a-fA-F:.]+)\/(\d{1,3})$/.exec(entry);
  if (cidr) return { range: parseCidr(entry, cidr[1] ?? '', Number(cidr[2])), port: null };
  if (isIP(entry) !== 0) return single(entry, null);
  const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(entry);
  if (bracketed) {
    if (isIP(bracketed[1] ?? '') !== 6) throw unreadable(entry);
    return single(bracketed[1] ?? '', bracketed[2] === undefined ? null : parsePort(entry, bracketed[2]));
  }
  const [address = '', port, ...rest] = entry.split(':');
  if (isIP(address) !== 4) return null;
  if (port === undefined || rest.length > 0) throw unreadable(entry);
  return single(address, parsePort(entry, port));
}

function single(address: string, port: number | null): RangeEntry {
  const network = parseIpLiteral(address)?.toByteArray();
  if (network === undefined) throw unreadable(address);
  return { range: { network, bits: network.length * 8 }, port };
}

function parseCidr(entry: string, address: string, bits: number): Range {
  const bytes = parseIpLiteral(address)?.toByteArray();
  if (bytes === undefined || bits > bytes.length * 8) throw unreadable(entry);
  const network = bytes.map((byte, at) => masked(byte, at, bits));
  // `10.1.2.3/8` is more likely a mistake than an intention to open all of 10.0.0.0/8.
  if (network.some((byte, at) => byte !== bytes[at])) {
    throw new EgressAllowError(
      `EGRESS_ALLOW: "${entry}" has bits outside its prefix; write ${ipaddr.fromByteArray(network).toString()}/${bits}`,
    );
  }
  return { network, bits };
}

function parseHost(entry: string): HostEntry {
  const [name = '', port, ...rest] = entry.split(':');
  const url = /^[^\s/?#@\\[\]*%]+$/.test(name) ? URL.parse(`http://${name}/`) : null;
  const host = url === null ? '' : bareHost(url.hostname);
  // A whole URL would otherwise be parsed as a host called `https` with an invalid port.
  if (entry.includes('/')) throw unreadable(entry);
  // A name that the URL parser turns into an address (`127.1`, `0x7f.1`) must be written as that address.
  if (rest.length > 0 || host === '' || isIP(host) !== 0 || !isHostName(host)) throw unreadable(entry);
  return { host, port: port === undefined ? null : parsePort(entry, port) };
}

function parsePort(entry: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535)
    throw new EgressAllowError(`EGRESS_ALLOW: "${oneLine(entry)}" has a port outside 1-65535`);
  return port;
}

function unreadable(entry: string): EgressAllowError {
  return new EgressAllowError(`EGRESS_ALLOW: "${oneLine(entry)}" is not a host, host:port, IP address or CIDR range`);
}

function oneLine(entry: string): string {
  return entry.replaceAll(/\p{Cc}/gu, ' ').slice(0, 100);
}
