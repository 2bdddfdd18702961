import { createSocket, type Socket } from 'node:dgram';
import packet, { type Answer } from 'dns-packet';
import { findAnswers, type Zone } from './zone.js';

const [SERVER_FAILURE, NO_SUCH_NAME] = [2, 3];

/** A name server on loopback (RFC 1035) for the host names of webhooks. */
export class Dns {
  /** How often each name was queried, for any type. */
  readonly asked = new Map<string, number>();

  private constructor(
    private readonly socket: Socket,
    private readonly zone: Zone,
  ) {
    socket.on('message', (bytes, { port, address }) => {
      const answer = this.answer(bytes);
      if (answer) socket.send(answer, port, address);
    });
  }

  static async start(zone: Zone): Promise<Dns> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return new Dns(socket, zone);
  }

  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.socket.close(() => resolve()));
  }

  private answer(bytes: Buffer): Buffer | null {
    const { id, questions = [] } = packet.decode(bytes);
    const [question] = questions;
    if (!question) return null;
    const name = question.name.toLowerCase();
    const turn = this.asked.get(name) ?? 0;
    this.asked.set(name, turn + 1);
    const found = findAnswers(this.zone, question.type, name, turn);
    if (found === 'silence') return null;
    const code = found === 'failure' ? SERVER_FAILURE : found === 'unknown' ? NO_SUCH_NAME : 0;
    return packet.encode({
      ...{ id, type: 'response', questions: [question] },
      flags: packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | code,
      answers: typeof found === 'string' ? [] : found.map((record): Answer => ({ ...record, ttl: 0 })),
    });
  }
}
