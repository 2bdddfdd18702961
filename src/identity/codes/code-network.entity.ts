import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { CodeAddress } from './code-address.js';

/** Requests and failures of one network for one address, both stored only as hashes. */
@Entity('code_networks')
@Index('code_networks_seen', ['seenAt'])
@ForeignKey('code_destinations', ['environmentId', 'destinationHash'], ['environmentId', 'destinationHash'], {
  name: 'code_networks_destination',
  onDelete: 'CASCADE',
})
export class CodeNetwork extends CodeAddress {
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

  /** When the owner of the address was first known to use this network. */
  @Column({ type: 'timestamptz', nullable: true })
  signedInAt!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  seenAt!: Date;
}
