import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** What one network has asked for and got wrong with one address. Neither of them is here. */
@Entity('code_networks')
@Index('code_networks_seen', ['seenAt'])
@ForeignKey('code_destinations', ['environmentId', 'destinationHash'], ['environmentId', 'destinationHash'], {
  name: 'code_networks_destination',
  onDelete: 'CASCADE',
})
export class CodeNetwork {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'bytea' })
  destinationHash!: Buffer;

  @PrimaryColumn({ type: 'bytea' })
  networkHash!: Buffer;

  @Column({ type: 'timestamptz', nullable: true })
  lastSentAt!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  hourStartedAt!: Date;

  @Column({ type: 'integer', default: 0 })
  sentInHour!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  dayStartedAt!: Date;

  @Column({ type: 'integer', default: 0 })
  sentInDay!: number;

  /** Tries since the last that was right. */
  @Column({ type: 'integer', default: 0 })
  failures!: number;

  @Column({ type: 'timestamptz', nullable: true })
  failedAt!: Date | null;

  /** Until when no code is tried from here or sent for it. */
  @Column({ type: 'timestamptz', nullable: true })
  waitsUntil!: Date | null;

  /** Since when the owner of the address is known to use this network. */
  @Column({ type: 'timestamptz', nullable: true })
  signedInAt!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  seenAt!: Date;
}
