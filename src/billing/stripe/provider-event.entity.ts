import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A processed message of the payment provider, stored so that a repetition is ignored. */
@Entity('billing_provider_events')
@Index('billing_provider_events_old', ['receivedAt'])
export class ProviderEventRow {
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ type: 'text' })
  type!: string;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  receivedAt!: Date;
}
