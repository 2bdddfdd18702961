import { Column, PrimaryColumn } from 'typeorm';

/** Failed attempts for an address, and its current wait. The address itself is not stored. */
export abstract class CodeAddress {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'bytea' })
  destinationHash!: Buffer;

  /** Attempts since the last correct one. */
  @Column({ type: 'integer', default: 0 })
  failures!: number;

  @Column({ type: 'timestamptz', nullable: true })
  failedAt!: Date | null;

  /** Until then no code is tried or sent. */
  @Column({ type: 'timestamptz', nullable: true })
  waitsUntil!: Date | null;
}
