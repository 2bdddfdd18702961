import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { SanctionedAddress } from './ofac-list.js';

/** Whether an environment asks about wallets. One row, made when somebody looks or switches. */
@Entity('screening_integrations')
@ForeignKey('environments', ['environmentId'], ['id'], {
  name: 'screening_integrations_environment',
  onDelete: 'CASCADE',
})
@Index('screening_integrations_one', ['environmentId'], { unique: true })
export class ScreeningIntegrationRow extends EnvironmentEntity {
  @Column({ type: 'boolean', default: false })
  sanctionsApiEnabled!: boolean;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}

/** What was found out last about an address of a user. */
@Entity('screening_checks')
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'screening_checks_user',
  onDelete: 'CASCADE',
})
@Index('screening_checks_address', ['environmentId', 'userId', 'address'], { unique: true })
export class ScreeningCheckRow extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'text' })
  address!: string;

  @Column({ type: 'text' })
  result!: 'OK' | 'BLOCKED' | 'FAILED';

  @Column({ type: 'text' })
  response!: string;
}

/** A version of the sanctions list of the deployment; the newest counts. */
@Entity('sanctions_lists')
@Index('sanctions_lists_newest', ['importedAt'])
export class SanctionsListRow {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  /** Of the file, SHA-256 in hex. */
  @Column({ type: 'text' })
  digest!: string;

  @Column({ type: 'text', nullable: true })
  publishedOn!: string | null;

  @Column({ type: 'jsonb' })
  addresses!: SanctionedAddress[];

  @Column({ type: 'timestamptz', default: () => 'clock_timestamp()' })
  importedAt!: Date;
}
