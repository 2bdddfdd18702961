import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** A device confirmed by its user, identified by the key in its sessions. */
@Entity('device_registrations')
@Index('device_registrations_once', ['environmentId', 'userId', 'deviceHash'], { unique: true })
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'device_registrations_user',
  onDelete: 'CASCADE',
})
export class DeviceRegistrationRow extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  /** SHA-256 of its sessions' public key; for a client without one, of the single confirmed session. */
  @Column({ type: 'bytea' })
  deviceHash!: Buffer;

  @Column({ type: 'text', nullable: true })
  userAgent!: string | null;
}
