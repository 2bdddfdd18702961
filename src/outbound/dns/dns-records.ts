/** DNS lookups. */
export abstract class DnsRecords {
  /** The TXT records, each joined into one string; empty if there are none. @throws DnsUnavailable */
  abstract txt(name: string): Promise<string[]>;
  /** The CNAME targets of the name, in lower case and without the root dot. @throws DnsUnavailable */
  abstract cname(name: string): Promise<string[]>;
}

/** No conclusive answer: a server failed, refused or did not respond. */
export class DnsUnavailable extends Error {
  override readonly name = 'DnsUnavailable';
}
