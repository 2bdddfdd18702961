import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { eventually } from './receiver.js';

interface Message {
  to: readonly string[];
  raw: string;
}

/** A mail server on this machine that accepts every message, without TLS. */
export class MailServer {
  private readonly messages: Message[] = [];
  private readonly server = new SMTPServer({
    authOptional: true,
    closeTimeout: 100,
    disabledCommands: ['STARTTLS'],
    onData: (stream, { envelope }, done) => {
      let raw = '';
      stream.on('data', (chunk: Buffer) => (raw += chunk.toString()));
      stream.on('end', () => {
        this.messages.unshift({ to: envelope.rcptTo.map(({ address }) => address), raw });
        done();
      });
    },
  });

  /** @param port one that an instance may already be configured with */
  static async start(port = 0): Promise<MailServer> {
    const mails = new MailServer();
    mails.server.on('error', () => undefined);
    await new Promise<void>((resolve) => mails.server.listen(port, '127.0.0.1', resolve));
    return mails;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  /** The code in the newest message to the address that has one in its subject. */
  codeTo(email: string): Promise<string> {
    return eventually(`a code reaches ${email}`, () => {
      const codes = this.messages
        .filter(({ to }) => to.includes(email))
        .map(({ raw }) => /^Subject: (\d{6}) /m.exec(raw));
      return codes.find((found) => found !== null)?.[1];
    });
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}
