import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Envelope, type SealContext } from '../vault/index.js';
import type { CustomHeader } from './custom-headers.js';
import { WebhookSecret } from './webhook-secret.js';
import { WebhookSigningKey } from './webhook-signing-key.js';

/** The row that holds a sealed secret. */
export interface SecretHolder {
  environmentId: string;
  webhookId: string;
}

/** The kinds of sealed values of a webhook. None opens as another. */
export type SealedKind = 'signing-secret' | 'signing-key' | 'headers';

/** The sealed columns that an attempt needs; null if the webhook has no such value, or no longer. */
export interface SealedKeys {
  sealedSecret: Buffer;
  sealedPreviousSecret: Buffer | null;
  sealedSigningKey: Buffer | null;
  sealedPreviousSigningKey: Buffer | null;
  sealedHeaders: Buffer | null;
}

/** The same, opened: current ones first. */
export interface OpenedKeys {
  secrets: WebhookSecret[];
  signingKeys: WebhookSigningKey[];
  headers: CustomHeader[];
}

/** For a row whose values are under several vault keys, so that master key rotation picks it up. */
export const MIXED_KEYS = 'mixed';

const MAX_OPENED = 500;
/** How long an opened value may stay in memory after its first use. */
const OPENED_MS = 60_000;

const contextOf = ({ environmentId, webhookId }: SecretHolder, kind: SealedKind): SealContext => ({
  purpose: 'webhook',
  environmentId,
  subjectId: webhookId,
  kind,
});

const PARSERS: { [K in SealedKind]: (text: string) => unknown } = {
  'signing-secret': (text) => WebhookSecret.parse(text),
  'signing-key': (text) => WebhookSigningKey.parse(text),
  headers: (text) => JSON.parse(text) as unknown,
};

/** Webhook secrets, sealed at rest and opened while messages are being sent. */
@Injectable()
export class WebhookSecrets {
  /** Keyed by sealed bytes, kind and holder: a new secret or another row is a new entry, so none is ever stale. */
  private readonly opened = new LRUCache<string, Promise<unknown>>({ max: MAX_OPENED, ttl: OPENED_MS });

  constructor(private readonly envelope: Envelope) {}

  sealSecret(secret: WebhookSecret, holder: SecretHolder): Promise<Buffer> {
    return this.seal(secret.reveal(), holder, 'signing-secret');
  }

  sealSigningKey(key: WebhookSigningKey, holder: SecretHolder): Promise<Buffer> {
    return this.seal(key.reveal(), holder, 'signing-key');
  }

  sealHeaders(headers: readonly CustomHeader[], holder: SecretHolder): Promise<Buffer> {
    return this.seal(JSON.stringify(headers), holder, 'headers');
  }

  /** The one vault key that all of these are under. */
  keyIdOf(...sealed: (Buffer | null)[]): string {
    const ids = new Set(sealed.flatMap((blob) => (blob ? this.envelope.keyIdOf(blob) : [])));
    const [id] = ids;
    return ids.size === 1 && id !== undefined ? id : MIXED_KEYS;
  }

  /** The same under the current vault key. */
  async rewrap<T extends Buffer | null>(sealed: T, holder: SecretHolder, kind: SealedKind): Promise<T> {
    return sealed && (((await this.envelope.rewrap(sealed, contextOf(holder, kind))) ?? sealed) as T);
  }

  open(sealed: Buffer, holder: SecretHolder): Promise<WebhookSecret> {
    return this.read(sealed, holder, 'signing-secret') as Promise<WebhookSecret>;
  }

  /** Everything that one attempt needs. */
  async openAll(keys: SealedKeys, holder: SecretHolder): Promise<OpenedKeys> {
    const all = <T>(kind: SealedKind, ...sealed: (Buffer | null)[]) =>
      Promise.all(sealed.flatMap((blob) => (blob ? [this.read(blob, holder, kind) as Promise<T>] : [])));
    return {
      secrets: await all<WebhookSecret>('signing-secret', keys.sealedSecret, keys.sealedPreviousSecret),
      signingKeys: await all<WebhookSigningKey>('signing-key', keys.sealedSigningKey, keys.sealedPreviousSigningKey),
      headers: (await all<CustomHeader[]>('headers', keys.sealedHeaders)).flat(),
    };
  }

  private async seal(text: string, holder: SecretHolder, kind: SealedKind): Promise<Buffer> {
    const bytes = Buffer.from(text);
    try {
      return await this.envelope.seal(bytes, contextOf(holder, kind));
    } finally {
      bytes.fill(0);
    }
  }

  private read(sealed: Buffer, holder: SecretHolder, kind: SealedKind): Promise<unknown> {
    const key = `${kind}/${holder.environmentId}/${holder.webhookId}/${sealed.toString('base64')}`;
    const known = this.opened.get(key);
    if (known) return known;
    const opening = this.unseal(sealed, holder, kind);
    this.opened.set(key, opening);
    opening.catch(() => this.opened.delete(key));
    return opening;
  }

  private async unseal(sealed: Buffer, holder: SecretHolder, kind: SealedKind): Promise<unknown> {
    const bytes = await this.envelope.open(sealed, contextOf(holder, kind));
    try {
      return PARSERS[kind](bytes.expose().toString());
    } finally {
      bytes.wipe();
    }
  }
}
