import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** A site that a user has connected the global wallet to. */
@Entity('global_wallet_connections')
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'global_wallet_connections_user',
  onDelete: 'CASCADE',
})
@Index('global_wallet_connections_once', ['environmentId', 'userId', 'appUrl'], { unique: true })
@Index('global_wallet_connections_ended', ['environmentId', 'id'], { where: 'disconnected_at IS NOT NULL' })
@Index('global_wallet_connections_expiring', ['environmentId', 'expiresAt'], { where: 'disconnected_at IS NULL' })
export class ConnectionRow extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  /** The origin of the site, as sent by the browser. */
  @Column({ type: 'text' })
  appUrl!: string;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  disconnectedAt!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
