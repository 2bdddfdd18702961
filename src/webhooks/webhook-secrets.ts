import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Envelope, type SealContext } from '../vault/index.js';
import { WebhookSecret } from './webhook-secret.js';

/** The row that holds a sealed secret. */
export interface SecretHolder {
  environmentId: string;
  webhookId: string;
}

/** A secret at rest and the key of the vault it is under. */
export interface SealedSecret {
  sealedSecret: Buffer;
  masterKeyId: string;
}

const MAX_OPENED = 500;
/** How long an opened secret may stay in memory after its first use. */
const OPENED_MS = 60_000;

const secretContext = ({ environmentId, webhookId }: SecretHolder): SealContext => ({
  purpose: 'webhook',
  environmentId,
  subjectId: webhookId,
  kind: 'signing-secret',
});

/** Signing secrets at rest and, for as long as messages go out, in use. */
@Injectable()
export class WebhookSecrets {
  /** By the sealed bytes and their holder: another secret, or another row, is another entry, so none is ever stale. */
  private readonly opened = new LRUCache<string, Promise<WebhookSecret>>({ max: MAX_OPENED, ttl: OPENED_MS });

  constructor(private readonly envelope: Envelope) {}

  async seal(secret: WebhookSecret, holder: SecretHolder): Promise<SealedSecret> {
    const sealedSecret = await this.envelope.seal(Buffer.from(secret.reveal()), secretContext(holder));
    return { sealedSecret, masterKeyId: this.envelope.keyIdOf(sealedSecret) };
  }

  /** The same secret under the current key of the vault. */
  async rewrap(sealed: Buffer, holder: SecretHolder): Promise<SealedSecret> {
    const sealedSecret = (await this.envelope.rewrap(sealed, secretContext(holder))) ?? sealed;
    return { sealedSecret, masterKeyId: this.envelope.keyIdOf(sealedSecret) };
  }

  open(sealed: Buffer, holder: SecretHolder): Promise<WebhookSecret> {
    const key = `${holder.environmentId}/${holder.webhookId}/${sealed.toString('base64')}`;
    const known = this.opened.get(key);
    if (known) return known;
    const opening = this.read(sealed, holder);
    this.opened.set(key, opening);
    opening.catch(() => this.opened.delete(key));
    return opening;
  }

  private async read(sealed: Buffer, holder: SecretHolder): Promise<WebhookSecret> {
    const bytes = await this.envelope.open(sealed, secretContext(holder));
    try {
      return WebhookSecret.parse(bytes.expose().toString());
    } finally {
      bytes.wipe();
    }
  }
}
