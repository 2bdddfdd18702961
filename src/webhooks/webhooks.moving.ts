import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../database/index.js';
import { MovingPart, moves, MovingParts, stays, type ArchivedRow } from '../moving/index.js';
import { WebhookDeliveryEntity } from './delivery/webhook-delivery.entity.js';
import { WebhookMessageEntity } from './delivery/webhook-message.entity.js';
import { WebhookNoticeEntity } from './notices/webhook-notice.entity.js';
import { WebhookReplayEntity } from './replays/webhook-replay.entity.js';
import { WebhookSecret } from './webhook-secret.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookEntity } from './webhook.entity.js';

/**
 * Webhooks move without their secrets: each gets a new one, and is disabled until its receiver knows it. Key pairs and
 * header fields must be set up again.
 */
@Injectable()
export class WebhooksMoving extends MovingPart {
  readonly moving;
  readonly staying = [
    ...stays('events of this installation are delivered from here', WebhookMessageEntity, WebhookDeliveryEntity),
    ...stays('it is about deliveries, which stay', WebhookNoticeEntity, WebhookReplayEntity),
  ];

  constructor(
    private readonly secrets: WebhookSecrets,
    parts: MovingParts,
  ) {
    super(parts);
    this.moving = [
      moves(WebhookEntity, {
        unless: 'deletedAt',
        renewal: {
          reason: 'secrets, keys and header fields stay; each gets a new secret there and is switched off',
          columns: [
            'sealedSecret',
            'masterKeyId',
            'sealedPreviousSecret',
            'previousSecretUntil',
            'sealedSigningKey',
            'publicKey',
            'sealedPreviousSigningKey',
            'sealedHeaders',
            'headerNames',
            'isEnabled',
            'enabledAt',
          ],
          make: (environmentId, row) => this.renewed(environmentId, row),
        },
      }),
    ];
  }

  private async renewed(environmentId: EnvironmentId, row: ArchivedRow): Promise<Record<string, unknown>> {
    const holder = { environmentId, webhookId: String(row['id']) };
    const sealed = await this.secrets.sealSecret(WebhookSecret.generate(), holder);
    return {
      sealed_secret: `\\x${sealed.toString('hex')}`,
      master_key_id: this.secrets.keyIdOf(sealed),
      header_names: [],
      is_enabled: false,
    };
  }
}
