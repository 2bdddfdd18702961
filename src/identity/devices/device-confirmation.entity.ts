import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A session on an unconfirmed device, with the hash of the token emailed for it. */
@Entity('device_confirmations')
@ForeignKey('sessions', ['environmentId', 'sessionId'], ['environmentId', 'id'], {
  name: 'device_confirmations_session',
  onDelete: 'CASCADE',
})
@Index('device_confirmations_expired', ['expiresAt'])
export class DeviceConfirmation {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'uuid' })
  sessionId!: string;

  @Column({ type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
