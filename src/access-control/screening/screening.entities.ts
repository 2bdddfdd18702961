import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { SanctionedAddress } from './ofac-list.js';

/** Whether an environment screens wallets. One row, created when it is first read or switched. */
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

/** The last screening result for an address of a user. */
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

/** A version of the deployment's sanctions list; the newest is in force. */
@Entity('sanctions_lists')
@Index('sanctions_lists_newest', ['importedAt'])
export class SanctionsListRow {
  @PrimaryColumn({ type: 'uuid' })
  id!: string;

  /** SHA-256 of the file in hex. */
  @Column({ type: 'text' })
  digest!: string;

  @Column({ type: 'text', nullable: true })
  publishedOn!: string | null;

  @Column({ type: 'jsonb' })
  addresses!: SanctionedAddress[];

  @Column({ type: 'timestamptz', default: () => 'clock_timestamp()' })
  importedAt!: Date;
}
