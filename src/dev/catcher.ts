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
  /** The JSON value received; text that is not JSON as it came. */
  body: unknown;
  /** Whether the signature was good; null when no secret is known for the webhook. */
  verified: boolean | null;
}

const MAX_KEPT = 200;

/** What the verdict on a signature rests on. */
interface Evidence {
  headers: IncomingHttpHeaders;
  raw: Buffer;
}

/** Receives webhooks of this service so that people can see what they carry. Kept in memory. */
@Injectable()
export class Catcher {
  private readonly kept: { caught: CaughtRequest; evidence: Evidence }[] = [];

  constructor(
    private readonly secrets: CatcherSecrets,
    private readonly clock: Clock,
  ) {}

  /** The newest first, at most 200. */
  get requests(): readonly CaughtRequest[] {
    // A webhook announces itself before anybody can register its secret: what came too early is judged late.
    for (const { caught, evidence } of this.kept) caught.verified ??= this.verdictOn(caught, evidence);
    return this.kept.map(({ caught }) => caught);
  }

  /** The same, once the webhooks that are not known were looked for. */
  async judged(): Promise<readonly CaughtRequest[]> {
    for (const { caught, evidence } of this.kept.filter((one) => this.isOpen(one.caught))) {
      const { environmentId, webhookId } = namesIn(caught.body);
      const secret = environmentId && webhookId && (await this.secrets.lookUp(environmentId, webhookId));
      if (secret) caught.verified ??= verdict(caught, evidence, secret);
    }
    return this.requests;
  }

  /** @param raw exactly the bytes received: the signature is over these */
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

/** Who a message says it is from. */
function namesIn(body: unknown): { environmentId: string | null; webhookId: string | null } {
  const said = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  return { environmentId: text(said['environmentId']), webhookId: text(said['webhookId']) };
}

/** A receiver may be given credentials of its own to check; a page is not the place for them. */
function withoutCredentials({ authorization, cookie, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  return {
    ...headers,
    ...(authorization !== undefined && { authorization: '[redacted]' }),
    ...(cookie !== undefined && { cookie: '[redacted]' }),
  };
}
