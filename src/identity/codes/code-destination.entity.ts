import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** How many codes went to an address, and how many wrong ones came back in a row. The address is not here. */
@Entity('code_destinations')
@ForeignKey('environments', ['environmentId'], ['id'], {
  name: 'code_destinations_environment',
  onDelete: 'CASCADE',
})
export class CodeDestination {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'bytea' })
  destinationHash!: Buffer;

  @Column({ type: 'timestamptz' })
  lastSentAt!: Date;

  @Column({ type: 'timestamptz' })
  hourStartedAt!: Date;

  @Column({ type: 'integer' })
  sentInHour!: number;

  @Column({ type: 'timestamptz' })
  dayStartedAt!: Date;

  @Column({ type: 'integer' })
  sentInDay!: number;

  @Column({ type: 'integer', default: 0 })
  failures!: number;
}
