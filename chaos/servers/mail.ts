import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

const WAIT_MS = 30_000;
const POLL_MS = 5;

/** Accepts every message, and keeps the code in the newest one to each address. */
export class MailServer {
  private readonly codes = new Map<string, string>();

  private constructor(private readonly server: SMTPServer) {}

  static async start(): Promise<MailServer> {
    const server = new SMTPServer({
      ...{ authOptional: true, closeTimeout: 100, disabledCommands: ['STARTTLS'] },
      onData: (stream, { envelope }, done) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const code = codeIn(Buffer.concat(chunks).toString());
          for (const { address } of code ? envelope.rcptTo : []) mail.codes.set(address, code ?? '');
          done();
        });
      },
    });
    server.on('error', () => undefined);
    const mail = new MailServer(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return mail;
  }

  /** The value for SMTP_URL. */
  get url(): string {
    return `smtp://127.0.0.1:${(this.server.server.address() as AddressInfo).port}`;
  }

  /** Waits for a code; each is returned once. @throws Error if none arrives */
  async take(address: string): Promise<string> {
    const deadline = performance.now() + WAIT_MS;
    while (performance.now() < deadline) {
      const code = this.codes.get(address);
      this.codes.delete(address);
      if (code) return code;
      await delay(POLL_MS);
    }
    throw new Error(`No code was mailed to ${address}.`);
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

/** The code in the subject of a message. */
export const codeIn = (raw: string): string | null => /^Subject: (\d{6}) /m.exec(raw)?.[1] ?? null;
