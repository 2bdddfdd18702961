/** What the DNS says about a name. */
export abstract class DnsRecords {
  /** Texts of the TXT records, each in one piece; none when the name has none. @throws DnsUnavailable */
  abstract txt(name: string): Promise<string[]>;
  /** What the name is an alias of, in lower case and without the root dot. @throws DnsUnavailable */
  abstract cname(name: string): Promise<string[]>;
}

/** There was no answer that says anything: a server failed, refused, or was silent. */
export class DnsUnavailable extends Error {
  override readonly name = 'DnsUnavailable';
}
