import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { ExchangeKey } from './exchange.dto.js';
import type { ProviderKind } from '../../providers/index.js';

/** An exchange whose accounts users of an environment may use. Disabled while `enabledAt` is null. */
@Entity('exchanges')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'exchanges_environment', onDelete: 'CASCADE' })
@Index('exchanges_once', ['environmentId', 'exchange'], { unique: true })
export class ExchangeRow extends EnvironmentEntity {
  @Column({ type: 'text' })
  exchange!: ExchangeKey;

  /** The provider through which users link their accounts. */
  @Column({ type: 'text' })
  socialProvider!: ProviderKind;

  @Column({ type: 'text', nullable: true })
  onRampProvider!: ProviderKind | null;

  @Column({ type: 'timestamptz', nullable: true })
  enabledAt!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
