import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { ProviderName } from '../types/provider-names.js';
import type { ProviderAgreement, ProviderConfiguration } from './provider.dto.js';

/** At most one of several records of a type is enabled. */
export const ENABLED_ONCE = 'providers_enabled_once';

/** A sign-in method, or a service behind one, that an environment has set up. Disabled while `enabledAt` is null. */
@Entity('providers')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'providers_environment', onDelete: 'CASCADE' })
@Index(ENABLED_ONCE, ['environmentId', 'provider'], { unique: true, where: 'enabled_at IS NOT NULL' })
@Index('providers_master_key', ['masterKeyId'], { where: 'master_key_id IS NOT NULL' })
export class ProviderRow extends EnvironmentEntity {
  @Column({ type: 'text' })
  provider!: ProviderName;

  @Column({ type: 'timestamptz', nullable: true })
  enabledAt!: Date | null;

  /** The fields declared by the provider's type; never a secret. */
  @Column({ type: 'jsonb', default: {} })
  configuration!: Partial<ProviderConfiguration>;

  @Column({ type: 'bytea', nullable: true })
  sealedSecret!: Buffer | null;

  /** The vault key that wraps the secret's data key. */
  @Column({ type: 'text', nullable: true })
  masterKeyId!: string | null;

  /** Who accepted which of the provider's terms. */
  @Column({ type: 'jsonb', nullable: true })
  agreement!: ProviderAgreement | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
