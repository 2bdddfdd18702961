import { createSocket, type Socket } from 'node:dgram';
import packet, { type Answer } from 'dns-packet';

const [SERVER_FAILURE, NO_SUCH_NAME] = [2, 3];

type RecordType = 'TXT' | 'CNAME' | 'A' | 'AAAA';

/** A real DNS server (RFC 1035) on loopback that returns what a test has configured. */
export class DnsServer {
  private readonly zone = new Map<string, string[]>();
  private readonly failing = new Set<string>();
  private readonly silent = new Set<string>();
  /** Queries in order of arrival, such as `TXT example.com`. */
  readonly asked: string[] = [];

  private constructor(private readonly socket: Socket) {
    socket.on('message', (bytes, { port, address }) => {
      const answer = this.answer(bytes);
      if (answer) socket.send(answer, port, address);
    });
  }

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return new DnsServer(socket);
  }

  /** The value for DNS_SERVERS. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  set(type: RecordType, name: string, ...values: string[]): void {
    this.zone.set(`${type} ${name}`, values);
  }

  remove(type: RecordType, name: string): void {
    this.zone.delete(`${type} ${name}`);
  }

  /** Makes queries for a name, or for one of its types such as `AAAA example.com`, fail or time out; without a mode, work again. */
  misbehave(name: string, mode?: 'fails' | 'silent'): void {
    this.failing.delete(name);
    this.silent.delete(name);
    if (mode === 'fails') this.failing.add(name);
    if (mode === 'silent') this.silent.add(name);
  }

  /** Does not keep the process from ending. */
  unref(): this {
    this.socket.unref();
    return this;
  }

  close(): void {
    this.socket.close();
  }

  private answer(bytes: Buffer): Buffer | null {
    const { id, questions = [] } = packet.decode(bytes);
    const [question] = questions;
    if (!question) return null;
    const name = question.name.toLowerCase();
    const key = `${question.type} ${name}`;
    this.asked.push(key);
    if (this.silent.has(name) || this.silent.has(key)) return null;
    const values = this.zone.get(key) ?? [];
    const isKnown = [...this.zone.keys()].some((known) => known.endsWith(` ${name}`));
    const code = this.failing.has(name) ? SERVER_FAILURE : isKnown ? 0 : NO_SUCH_NAME;
    return packet.encode({
      id,
      type: 'response',
      flags: packet.AUTHORITATIVE_ANSWER | packet.RECURSION_DESIRED | code,
      questions: [question],
      answers: code ? [] : values.map((data) => answerOf(question.type, question.name, data)),
    });
  }
}

/** TXT records can have several strings, separated by bars in tests. */
const answerOf = (type: string, name: string, data: string): Answer =>
  type === 'TXT'
    ? { type, name, ttl: 300, data: data.split('|') }
    : { type: type as Exclude<RecordType, 'TXT'>, name, ttl: 300, data };

let shared: Promise<DnsServer> | undefined;

/** A shared instance for tests that just need any name server. */
export const sharedDnsServer = (): Promise<DnsServer> =>
  (shared ??= DnsServer.start().then((server) => server.unref()));
