import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** A device that a user has confirmed, by the key that its sessions name. */
@Entity('device_registrations')
@Index('device_registrations_once', ['environmentId', 'userId', 'deviceHash'], { unique: true })
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'device_registrations_user',
  onDelete: 'CASCADE',
})
export class DeviceRegistrationRow extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  /** SHA-256 of the public key of its sessions; where a client has none, of the one session that was confirmed. */
  @Column({ type: 'bytea' })
  deviceHash!: Buffer;

  @Column({ type: 'text', nullable: true })
  userAgent!: string | null;
}
