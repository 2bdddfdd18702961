import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** An issued, unused nonce, stored as its hash. */
@Entity('nonces')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'nonces_environment', onDelete: 'CASCADE' })
@Index('nonces_expired', ['expiresAt'])
export class Nonce {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'bytea' })
  nonceHash!: Buffer;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
