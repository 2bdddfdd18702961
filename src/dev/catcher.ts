import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { verifyWebhook, type WebhookSecret } from '../webhooks/index.js';
import { CatcherSecrets } from './catcher-secrets.js';

export interface CaughtRequest {
  id: string;
  at: Date;
  headers: IncomingHttpHeaders;
  /** The received JSON value; other text as it came. */
  body: unknown;
  /** Whether the signature is valid; null if the webhook's secret is unknown. */
  verified: boolean | null;
}

const MAX_KEPT = 200;

/** What a signature is verified against. */
interface Evidence {
  headers: IncomingHttpHeaders;
  raw: Buffer;
}

/** Receives webhooks of this service so that developers can inspect them. Kept in memory. */
@Injectable()
export class Catcher {
  private readonly kept: { caught: CaughtRequest; evidence: Evidence }[] = [];

  constructor(
    private readonly secrets: CatcherSecrets,
    private readonly clock: Clock,
  ) {}

  /** The newest first, at most 200. */
  get requests(): readonly CaughtRequest[] {
    // A new webhook's first message arrives before its secret can be registered, so verification is retried here.
    for (const { caught, evidence } of this.kept) caught.verified ??= this.verdictOn(caught, evidence);
    return this.kept.map(({ caught }) => caught);
  }

  /** The same, after looking up the secrets of unknown webhooks. */
  async judged(): Promise<readonly CaughtRequest[]> {
    for (const { caught, evidence } of this.kept.filter((one) => this.isOpen(one.caught))) {
      const { environmentId, webhookId } = namesIn(caught.body);
      const secret = environmentId && webhookId && (await this.secrets.lookUp(environmentId, webhookId));
      if (secret) caught.verified ??= verdict(caught, evidence, secret);
    }
    return this.requests;
  }

  /** @param raw the exact bytes received, which the signature covers */
  catch(headers: IncomingHttpHeaders, raw: Buffer): CaughtRequest {
    const id = newId();
    const shown = { headers: withoutCredentials(headers), body: parseBody(raw) };
    const caught: CaughtRequest = { id, at: this.clock.now(), ...shown, verified: null };
    this.kept.unshift({ caught, evidence: { headers, raw } });
    this.kept.length = Math.min(this.kept.length, MAX_KEPT);
    return caught;
  }

  private verdictOn(caught: CaughtRequest, evidence: Evidence): boolean | null {
    const secret = this.secrets.find(namesIn(caught.body).webhookId);
    return secret && verdict(caught, evidence, secret);
  }

  private isOpen({ verified, body }: CaughtRequest): boolean {
    return verified === null && this.secrets.find(namesIn(body).webhookId) === null;
  }
}

const verdict = ({ at }: CaughtRequest, { headers, raw }: Evidence, secret: WebhookSecret): boolean =>
  verifyWebhook(headers, raw, secret, at).verified;

function parseBody(raw: Buffer): unknown {
  const text = raw.toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The sender that a message claims. */
function namesIn(body: unknown): { environmentId: string | null; webhookId: string | null } {
  const said = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return { environmentId: text(said['environmentId']), webhookId: text(said['webhookId']) };
}

/** Webhooks may carry the receiver's credentials, which must not be shown on a page. */
function withoutCredentials({ authorization, cookie, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  return {
    ...headers,
    ...(authorization !== undefined && { authorization: '[redacted]' }),
    ...(cookie !== undefined && { cookie: '[redacted]' }),
  };
}
