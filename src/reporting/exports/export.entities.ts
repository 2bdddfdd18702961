import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { ExportModel, ExportStatus } from './export.dto.js';

/** A requested file. Its progress is stored here, so any worker can continue it. */
@Entity('exports')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'exports_environment', onDelete: 'CASCADE' })
@Index('exports_under_way', ['dueAt'], { where: "status = 'pending'" })
@Index('exports_old', ['expiresAt'])
@Check('exports_format', "format = 'csv'")
@Check('exports_model', "model IN ('users', 'visits')")
@Check('exports_status', "status IN ('pending', 'completed', 'failed')")
export class ExportRow extends EnvironmentEntity {
  @Column({ type: 'text' })
  format!: 'csv';

  @Column({ type: 'text' })
  model!: ExportModel;

  @Column({ type: 'text', default: 'pending' })
  status!: ExportStatus;

  /** The id of the last record in the file. */
  @Column({ type: 'uuid', default: '00000000-0000-0000-0000-000000000000' })
  position!: string;

  /** Names of the parts of the file, in order. */
  @Column({ type: 'text', array: true, default: [] })
  parts!: string[];

  /** The id of the last record of each part. */
  @Column({ type: 'uuid', array: true, default: [] })
  ends!: string[];

  /** Discarded parts that are still in the store. */
  @Column({ type: 'text', array: true, default: [] })
  dropped!: string[];

  @Column({ type: 'integer', default: 0 })
  rows!: number;

  /** The number of failed steps. */
  @Column({ type: 'integer', default: 0 })
  failures!: number;

  /** When a worker takes the next step: immediately, or when the lease of the current worker expires. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  dueAt!: Date;

  @Column({ type: 'text', nullable: true })
  error!: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  startedAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  completedAt!: Date | null;

  @Column({ type: 'timestamptz', default: () => "(now() + '24:00:00')" })
  expiresAt!: Date;
}

/** A single-use download URL of a file. */
@Entity('export_downloads')
@ForeignKey(() => ExportRow, ['environmentId', 'exportId'], ['environmentId', 'id'], {
  name: 'export_downloads_export',
  onDelete: 'CASCADE',
})
@Index('export_downloads_of_export', ['environmentId', 'exportId'])
@Index('export_downloads_old', ['expiresAt'])
export class ExportDownload {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'bytea' })
  tokenHash!: Buffer;

  @Column({ type: 'uuid' })
  exportId!: string;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
