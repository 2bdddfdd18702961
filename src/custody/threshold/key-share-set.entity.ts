import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';
import type { PublicShares } from './frost.js';
import type { ShareProtocol, ShareScheme } from './schemes.js';

/** The service's shares of one key. The user has the others; nobody has the key. */
@Entity('key_share_sets')
@Index('key_share_sets_of_user', ['environmentId', 'userId'])
@Index('key_share_sets_by_master_key', ['masterKeyId', 'environmentId', 'id'])
@Check('key_share_sets_scheme', "scheme IN ('TWO_OF_TWO', 'TWO_OF_THREE', 'THREE_OF_FIVE')")
@Check('key_share_sets_protocol', "protocol IN ('FROST', 'SHAMIR')")
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'key_share_sets_user',
  onDelete: 'CASCADE',
})
export class KeyShareSet extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'text' })
  scheme!: ShareScheme;

  /** The protocol that the shares are sealed for. Those of one do not open as those of the other. */
  @Column({ type: 'text', default: 'FROST' })
  protocol!: ShareProtocol;

  /** Counts from 1. Shares of different generations never combine. */
  @Column({ type: 'integer', default: 1 })
  generation!: number;

  /** The service dealt all shares, and keeps the user's until they are fetched. These are not used for signing. */
  @Column({ type: 'boolean', default: false })
  dealt!: boolean;

  @Column({ type: 'jsonb' })
  publicShares!: PublicShares;

  @Column({ type: 'bytea' })
  sealedShares!: Buffer;

  /** The master key that wraps the envelope's data key. */
  @Column({ type: 'text' })
  masterKeyId!: string;
}
