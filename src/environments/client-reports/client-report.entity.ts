import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { ClientSettingsReport } from './client-report.dto.js';

/** The last client report of the environment. A single row, however many clients there are: anybody may send one. */
@Entity('client_reports')
@ForeignKey('Environment', ['environmentId'], ['id'], { name: 'client_reports_environment', onDelete: 'CASCADE' })
export class ClientReport {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @Column({ type: 'jsonb' })
  report!: ClientSettingsReport;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  reportedAt!: Date;
}
