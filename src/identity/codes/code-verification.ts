import { Column } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** A pending one-time code, whatever the channel. The code itself is not stored. */
export abstract class CodeVerification extends EnvironmentEntity {
  /** The `code_destinations` row that its failures count against. */
  @Column({ type: 'bytea' })
  destinationHash!: Buffer;

  @Column({ type: 'bytea' })
  codeHmac!: Buffer;

  /** Attempts for the current code, counted before each comparison. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  usedAt!: Date | null;
}
