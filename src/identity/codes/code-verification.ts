import { Column } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** A one-time code on its way, whichever way it goes. The code itself is not here. */
export abstract class CodeVerification extends EnvironmentEntity {
  /** The row of `code_destinations` that its failures count against. */
  @Column({ type: 'bytea' })
  destinationHash!: Buffer;

  @Column({ type: 'bytea' })
  codeHmac!: Buffer;

  /** Tries of the current code, counted before each comparison. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  @Column({ type: 'timestamptz', nullable: true })
  usedAt!: Date | null;
}
