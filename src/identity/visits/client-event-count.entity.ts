import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** The number of times an environment's pages reported an event in a day. */
@Entity('client_event_counts')
@Index('client_event_counts_old', ['day'])
@ForeignKey('environments', ['environmentId'], ['id'], {
  name: 'client_event_counts_environment',
  onDelete: 'CASCADE',
})
export class ClientEventCount {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  /** Start of the day in UTC. */
  @PrimaryColumn({ type: 'timestamptz' })
  day!: Date;

  @PrimaryColumn({ type: 'text' })
  event!: string;

  @Column({ type: 'bigint' })
  count!: string;
}
