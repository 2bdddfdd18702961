import { isIP } from 'node:net';
import {
  bareHost,
  classifyAddress,
  EgressPolicy,
  GuardedDispatcher,
  OutboundError,
  OutboundHttp,
} from '../outbound/index.js';
import { signWebhook, WebhookSecret } from '../webhooks/index.js';
import { UsageError } from './arguments.js';

const LOOPBACK = 'localhost, 127.0.0.0/8, ::1';
const USER_AGENT = 'Gatehouse-CLI/1';

/** The response status, or why there was no response. */
export type Outcome = { status: number; durationMs: number } | { failure: string };

/** A receiver of webhooks on this machine. */
export class LocalReceiver {
  private readonly http: OutboundHttp;

  private constructor(
    readonly url: string,
    readonly secret: WebhookSecret,
  ) {
    const policy = new EgressPolicy(LOOPBACK, { allowHttp: true, allowIpLiterals: true });
    this.http = new OutboundHttp(policy, new GuardedDispatcher(policy));
  }

  /**
   * @param own the secret of this folder, the default
   * @throws UsageError for an address on another machine, and for an invalid secret
   */
  static at(forward: string, secret: string | undefined, own: () => WebhookSecret): LocalReceiver {
    const url = URL.parse(forward);
    const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
    if (!url || !isWeb || !isLocal(bareHost(url.hostname))) {
      throw new UsageError(
        `--forward must be an address on this machine, such as http://localhost:4000/hooks (seen: ${forward}).`,
      );
    }
    return new LocalReceiver(url.href, secret === undefined ? own() : parseSecret(secret));
  }

  async send(messageId: string, body: string, now: Date): Promise<Outcome> {
    const timestamp = Math.floor(now.getTime() / 1_000);
    const headers = {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...signWebhook({ messageId, timestamp, body, secrets: [this.secret] }),
    };
    try {
      const { status, durationMs } = await this.http.send({ method: 'POST', url: this.url, headers, body });
      return { status, durationMs };
    } catch (error) {
      if (error instanceof OutboundError) return { failure: error.kind };
      throw error;
    }
  }

  close(): Promise<void> {
    return this.http.close();
  }
}

const isLocal = (host: string): boolean =>
  host === 'localhost' ||
  (isIP(host) !== 0 && (host === '::1' || host.startsWith('127.')) && classifyAddress(host) !== 'public');

function parseSecret(text: string): WebhookSecret {
  try {
    return WebhookSecret.parse(text);
  } catch {
    throw new UsageError('--secret must be a signing secret: whsec_ followed by the base64 of 24 to 64 bytes.');
  }
}
