import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { CodeAddress } from './code-address.js';

/** What all networks together have asked for and got wrong with an address; see {@link CodeNetwork}. It is not here. */
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

  /** Without those for networks that the owner of the address is known to use; the same holds for the failures. */
  @Column({ type: 'integer', default: 0 })
  sentInWindow!: number;
}
