import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { HostnameStatus, HostnameUsage } from './custom-hostname.dto.js';

/** Unique across tenants: an environment keeps an active name from all others until its records disappear. */
export const ACTIVE_ONCE = 'custom_hostnames_active_once';

/** A custom host name for an environment. */
@Entity('custom_hostnames')
@Index('custom_hostnames_once', ['environmentId', 'hostname'], { unique: true })
@Index(ACTIVE_ONCE, ['hostname'], { unique: true, where: "status = 'active'" })
@Index('custom_hostnames_due', ['nextCheckAt'])
@Check('custom_hostnames_status', "status IN ('pending', 'active', 'error')")
@ForeignKey('Environment', ['environmentId'], ['id'], { name: 'custom_hostnames_environment', onDelete: 'CASCADE' })
export class CustomHostnameEntity extends EnvironmentEntity {
  @Column({ type: 'text' })
  hostname!: string;

  @Column({ type: 'text' })
  usage!: HostnameUsage;

  @Column({ type: 'text', default: 'pending' })
  status!: HostnameStatus;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  statusSince!: Date;

  @Column({ type: 'text', nullable: true })
  errors!: string | null;

  /** The required ownership record value. Public in the DNS, but unguessable for another environment. */
  @Column({ type: 'text' })
  challenge!: string;

  @Column({ type: 'timestamptz', nullable: true })
  checkedAt!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  nextCheckAt!: Date;
}
