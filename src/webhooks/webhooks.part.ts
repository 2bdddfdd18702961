import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../database/index.js';
import { EnvironmentPart, EnvironmentParts, type PartChange, type PartState } from '../environments/index.js';
import type { Actor } from '../organizations/index.js';
import { MAX_WEBHOOKS, WebhookWriter, type WebhookTerms } from './webhook-writer.js';
import { WebhooksRepository, type WebhookRow } from './webhooks.repository.js';

/**
 * The webhooks of an environment, identified by URL. Secrets, keys and header fields are neither shown nor copied: a
 * webhook new to the target gets its own secret and no header fields, and an existing one keeps its own.
 */
@Injectable()
export class WebhooksPart extends EnvironmentPart {
  override readonly name = 'webhooks';

  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly writer: WebhookWriter,
    parts: EnvironmentParts,
  ) {
    super();
    parts.register(this);
  }

  override get most(): number {
    return MAX_WEBHOOKS;
  }

  override async read(environmentId: EnvironmentId, tx: Transaction): Promise<PartState> {
    const rows = await this.byKey(environmentId, tx);
    return new Map([...rows].map(([key, row]) => [key, valueOf(row)]));
  }

  /** Deletions run first, to make room for additions. */
  override async apply(
    environmentId: EnvironmentId,
    changes: readonly PartChange[],
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const present = await this.byKey(environmentId, tx);
    const idOf = (key: string): string => present.get(key)!.webhookId;
    for (const { action, key } of changes) {
      if (action === 'remove') await this.writer.delete(environmentId, idOf(key), actor, tx);
    }
    for (const { action, key, after } of changes) {
      if (action === 'remove') continue;
      const terms = this.writer.check({ ...DEFAULTS, ...(after as WebhookTerms) });
      if (action === 'change') {
        const prepared = await this.writer.prepare(environmentId, idOf(key), terms);
        await this.writer.update(environmentId, idOf(key), prepared, actor, tx);
      } else {
        await this.writer.create(environmentId, await this.writer.prepareNew(environmentId, terms), actor, tx);
      }
    }
  }

  /** Several webhooks may share a URL: older ones come first. */
  private async byKey(environmentId: EnvironmentId, tx: Transaction): Promise<Map<string, WebhookRow>> {
    const rows = new Map<string, WebhookRow>();
    for (const row of await this.webhooks.lockAll(environmentId, tx)) {
      let key = row.url;
      for (let copy = 2; rows.has(key); copy++) key = `${row.url}#${copy}`;
      rows.set(key, row);
    }
    return rows;
  }
}

/** Values for terms that are not specified. */
const DEFAULTS = { signatures: ['v1'], ordering: 'none' } as const;

/** The order of event names has no meaning. */
const valueOf = ({ url, events, isEnabled, publicKey, ordering }: WebhookRow): WebhookTerms => ({
  url,
  events: [...events].sort(),
  isEnabled,
  ...(publicKey !== null && { signatures: ['v1', 'v1a'] }),
  ...(ordering !== 'none' && { ordering }),
});
