import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import type { VendorFigures } from '../../observability/index.js';
import { mailUnavailable } from '../providers.errors.js';
import { Mailer, type Mail } from './mailer.js';
import { isBeforeMessage, NothingLeft } from './unsent-mail.js';

const CONNECT_TIMEOUT_MS = 5_000;
const TOTAL_TIMEOUT_MS = 10_000;
/** The minimum interval between two codes for one address, so that a client that waits this long is admitted. */
const RETRY_SECONDS = 30;

interface SmtpOptions {
  url: string;
  from: string;
  /** Refuses a server without STARTTLS (RFC 3207), also if its offer was stripped in transit. */
  requireTls?: boolean;
  connectTimeoutMs?: number;
  totalTimeoutMs?: number;
}

/** The name of the mail server in metrics. */
const VENDOR = 'smtp';

/** Sends emails to an SMTP server over a small connection pool. */
export class SmtpMailer extends Mailer implements OnApplicationShutdown {
  private readonly log = new Logger('Mail');
  private readonly transport: Transporter;
  private readonly totalTimeoutMs: number;

  constructor(
    private readonly options: SmtpOptions,
    private readonly figures: Pick<VendorFigures, 'answered' | 'failed'>,
  ) {
    super();
    const {
      url,
      requireTls = false,
      connectTimeoutMs = CONNECT_TIMEOUT_MS,
      totalTimeoutMs = TOTAL_TIMEOUT_MS,
    } = options;
    this.totalTimeoutMs = totalTimeoutMs;
    this.transport = createTransport({
      url,
      pool: true,
      requireTLS: requireTls,
      maxConnections: 5,
      connectionTimeout: connectTimeoutMs,
      greetingTimeout: connectTimeoutMs,
      socketTimeout: totalTimeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    // Without a listener, an error on an idle connection would end the process.
    this.transport.on('error', (error: unknown) => this.warn(error));
  }

  override async send({ to, subject, text, html }: Mail): Promise<void> {
    // Takes it from the queue too: there it would wait for the server, and arrive after its sender was told otherwise.
    const signal = AbortSignal.timeout(this.totalTimeoutMs);
    try {
      // The address is passed as an object: a string could name several recipients.
      const message = { from: this.options.from, to: { name: '', address: to }, subject, text, html, signal };
      await this.transport.sendMail(message);
      this.figures.answered(VENDOR);
    } catch (error) {
      this.figures.failed(VENDOR);
      this.warn(signal.aborted ? new MailTimeout() : error);
      const cause = isBeforeMessage(error) ? new NothingLeft() : undefined;
      throw mailUnavailable({ retryAfterSeconds: RETRY_SECONDS, cause });
    }
  }

  onApplicationShutdown(): void {
    this.transport.close();
  }

  /** Replies of mail servers may quote addresses and texts, so only their codes are logged. */
  private warn(error: unknown): void {
    const { code, responseCode } = error as { code?: string; responseCode?: number };
    this.log.warn(`A message could not be sent: ${code ?? 'unknown'}${responseCode ? ` (${responseCode})` : ''}`);
  }
}

class MailTimeout extends Error {
  readonly code = 'ETIMEDOUT';
}
