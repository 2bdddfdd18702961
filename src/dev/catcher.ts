import { Injectable } from '@nestjs/common';
import type { IncomingHttpHeaders } from 'node:http';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { verifyWebhook } from '../webhooks/index.js';
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

  /** @param raw exactly the bytes received: the signature is over these */
  catch(headers: IncomingHttpHeaders, raw: Buffer): CaughtRequest {
    const id = newId();
    const shown = { headers: withoutCredentials(headers), body: parseBody(raw) };
    const caught: CaughtRequest = { id, at: this.clock.now(), ...shown, verified: null };
    this.kept.unshift({ caught, evidence: { headers, raw } });
    this.kept.length = Math.min(this.kept.length, MAX_KEPT);
    return caught;
  }

  private verdictOn({ at, body }: CaughtRequest, { headers, raw }: Evidence): boolean | null {
    const secret = this.secrets.find(webhookIdOf(body));
    return secret ? verifyWebhook(headers, raw, secret, at).verified : null;
  }
}

function parseBody(raw: Buffer): unknown {
  const text = raw.toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function webhookIdOf(body: unknown): string | null {
  const id = typeof body === 'object' && body !== null ? (body as { webhookId?: unknown }).webhookId : null;
  return typeof id === 'string' ? id : null;
}

/** A receiver may be given credentials of its own to check; a page is not the place for them. */
function withoutCredentials({ authorization, cookie, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  return {
    ...headers,
    ...(authorization !== undefined && { authorization: '[redacted]' }),
    ...(cookie !== undefined && { cookie: '[redacted]' }),
  };
}
