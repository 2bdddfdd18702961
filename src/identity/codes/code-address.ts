import { Column, PrimaryColumn } from 'typeorm';

/** What was got wrong with an address, and until when it waits. The address is not here. */
export abstract class CodeAddress {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'bytea' })
  destinationHash!: Buffer;

  /** Tries since the last that was right. */
  @Column({ type: 'integer', default: 0 })
  failures!: number;

  @Column({ type: 'timestamptz', nullable: true })
  failedAt!: Date | null;

  /** Until when no code is tried or sent. */
  @Column({ type: 'timestamptz', nullable: true })
  waitsUntil!: Date | null;
}
