import { Injectable } from '@nestjs/common';
import { asSystem, Database, SealedColumns, type SealedRow } from '../database/index.js';
import { WebhookEntity } from './webhook.entity.js';
import type { SealedKeys } from './webhook-secrets.js';

const SEALED = [
  'sealedSecret',
  'sealedPreviousSecret',
  'sealedSigningKey',
  'sealedPreviousSigningKey',
  'sealedHeaders',
] as const satisfies readonly (keyof SealedKeys)[];

export type SealedWebhookRow = SealedRow<WebhookEntity, 'environmentId' | 'id', keyof SealedKeys>;

const WIPE = asSystem('a secret whose time is over is nobody’s').statement(
  'webhooks.wipeSecrets',
  `UPDATE webhooks SET sealed_previous_secret = NULL, sealed_previous_signing_key = NULL, previous_secret_until = NULL
   WHERE previous_secret_until <= now()`,
);

/** Sealed columns of webhooks, for master key rotation and for wiping replaced secrets. */
@Injectable()
export class SealedSecretsRepository extends SealedColumns<WebhookEntity, 'environmentId' | 'id', keyof SealedKeys> {
  constructor(private readonly rows: Database) {
    super(rows, WebhookEntity, { key: ['environmentId', 'id'], columns: SEALED, unless: 'deletedAt' });
  }

  /** Wipes secrets that no longer sign. */
  async wipeExpired(): Promise<void> {
    await this.rows.execute(WIPE, []);
  }
}
