import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A message of the payment provider that was dealt with, so that its repetition is not. */
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
