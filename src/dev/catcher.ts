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

/** Receives webhooks of this service so that people can see what they carry. Kept in memory. */
@Injectable()
export class Catcher {
  private readonly kept: CaughtRequest[] = [];

  constructor(
    private readonly secrets: CatcherSecrets,
    private readonly clock: Clock,
  ) {}

  /** The newest first, at most 200. */
  get requests(): readonly CaughtRequest[] {
    return this.kept;
  }

  /** @param raw exactly the bytes received: the signature is over these */
  catch(headers: IncomingHttpHeaders, raw: Buffer): CaughtRequest {
    const body = parseBody(raw);
    const secret = this.secrets.find(webhookIdOf(body));
    const at = this.clock.now();
    const verified = secret ? verifyWebhook(headers, raw, secret, at).verified : null;
    const caught = { id: newId(), at, headers: withoutCredentials(headers), body, verified };
    this.kept.unshift(caught);
    this.kept.length = Math.min(this.kept.length, MAX_KEPT);
    return caught;
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

/** A receiver may be given credentials of its own to check; a page is no place for them. */
function withoutCredentials({ authorization, cookie, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  return {
    ...headers,
    ...(authorization !== undefined && { authorization: '[redacted]' }),
    ...(cookie !== undefined && { cookie: '[redacted]' }),
  };
}
