import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { AccessControlType } from './access-control.dto.js';
import type { Appearance } from './appearance.js';

/** A row that is either disabled or enabled since a point in time. */
export abstract class SwitchedRow extends EnvironmentEntity {
  @Column({ type: 'timestamptz', nullable: true })
  enabledAt!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}

@Entity('global_wallets')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'global_wallets_environment', onDelete: 'CASCADE' })
@Index('global_wallets_once', ['environmentId'], { unique: true })
export class GlobalWalletRow extends SwitchedRow {
  /** Free of anything a browser would execute. */
  @Column({ type: 'jsonb' })
  appearance!: Appearance;
}

@Entity('global_wallet_access_controls')
@ForeignKey('environments', ['environmentId'], ['id'], {
  name: 'global_wallet_access_controls_environment',
  onDelete: 'CASCADE',
})
@Index('global_wallet_access_controls_once', ['environmentId'], { unique: true })
export class AccessControlRow extends SwitchedRow {
  @Column({ type: 'text' })
  type!: AccessControlType;
}

@Entity('global_wallet_domains')
@ForeignKey('global_wallet_access_controls', ['environmentId', 'accessControlId'], ['environmentId', 'id'], {
  name: 'global_wallet_domains_access_control',
  onDelete: 'CASCADE',
})
@Index('global_wallet_domains_once', ['environmentId', 'accessControlId', 'domain'], { unique: true })
export class DomainRow extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  accessControlId!: string;

  /** A normalised origin; the host may have a wildcard for one label. */
  @Column({ type: 'text' })
  domain!: string;
}
