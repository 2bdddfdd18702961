import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { EmbeddedChain } from '../embedded-chain.js';

/** A pending import: what the private key is to be sealed to, and until when. Single-use: use deletes the row. */
@Entity('key_imports')
@Index('key_imports_expired', ['expiresAt'])
@Index('key_imports_of_user', ['environmentId', 'userId'])
@Index('key_imports_by_master_key', ['masterKeyId', 'environmentId', 'id'])
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'key_imports_user',
  onDelete: 'CASCADE',
})
export class KeyImportRow extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  /** The session that began it; no other session may complete it. */
  @Column({ type: 'uuid' })
  sessionId!: string;

  @Column({ type: 'text' })
  chain!: EmbeddedChain;

  /** The secret that the one-time key pairs are derived from, in an envelope. */
  @Column({ type: 'bytea' })
  sealedKey!: Buffer;

  /** The master key that wraps the envelope's data key. */
  @Column({ type: 'text' })
  masterKeyId!: string;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
