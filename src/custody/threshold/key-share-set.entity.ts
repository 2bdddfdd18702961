import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { PublicShares } from './frost.js';
import type { ShareScheme } from './schemes.js';

/** The service's shares of one key. The user has the others; nobody has the key. */
@Entity('key_share_sets')
@Index('key_share_sets_of_user', ['environmentId', 'userId'])
@Index('key_share_sets_by_master_key', ['masterKeyId', 'environmentId', 'id'])
@Check('key_share_sets_scheme', "scheme IN ('TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE')")
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'key_share_sets_user',
  onDelete: 'CASCADE',
})
export class KeyShareSet extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'text' })
  scheme!: ShareScheme;

  /** Counts from 1. Shares of different generations never combine. */
  @Column({ type: 'integer', default: 1 })
  generation!: number;

  @Column({ type: 'jsonb' })
  publicShares!: PublicShares;

  @Column({ type: 'bytea' })
  sealedShares!: Buffer;

  /** The master key that the envelope's data key is wrapped under. */
  @Column({ type: 'text' })
  masterKeyId!: string;
}
