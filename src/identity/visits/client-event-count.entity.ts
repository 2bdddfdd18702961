import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** How often pages of an environment said in a day that something happened. */
@Entity('client_event_counts')
@Index('client_event_counts_old', ['day'])
@ForeignKey('environments', ['environmentId'], ['id'], {
  name: 'client_event_counts_environment',
  onDelete: 'CASCADE',
})
export class ClientEventCount {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  /** The beginning of the day in UTC. */
  @PrimaryColumn({ type: 'timestamptz' })
  day!: Date;

  @PrimaryColumn({ type: 'text' })
  event!: string;

  @Column({ type: 'bigint' })
  count!: string;
}
