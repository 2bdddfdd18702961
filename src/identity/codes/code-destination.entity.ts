import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { CodeAddress } from './code-address.js';

/**
 * Requests and failures of all networks together for an address; see {@link CodeNetwork}. The address is not stored.
 */
@Entity('code_destinations')
@Index('code_destinations_sent', ['lastSentAt'])
@ForeignKey('environments', ['environmentId'], ['id'], {
  name: 'code_destinations_environment',
  onDelete: 'CASCADE',
})
export class CodeDestination extends CodeAddress {
  @Column({ type: 'timestamptz' })
  lastSentAt!: Date;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  windowStartedAt!: Date;

  /** Excludes requests from networks the address's owner is known to use; the same applies to failures. */
  @Column({ type: 'integer', default: 0 })
  sentInWindow!: number;
}
