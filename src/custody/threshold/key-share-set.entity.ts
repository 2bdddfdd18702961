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

  /** What the shares are sealed as. Those of one protocol do not open as those of the other. */
  @Column({ type: 'text', default: 'FROST' })
  protocol!: ShareProtocol;

  /** Counts from 1. Shares of different generations never combine. */
  @Column({ type: 'integer', default: 1 })
  generation!: number;

  /** All shares were dealt by the service, which keeps the user's until they are fetched. Nothing is signed with these. */
  @Column({ type: 'boolean', default: false })
  dealt!: boolean;

  @Column({ type: 'jsonb' })
  publicShares!: PublicShares;

  @Column({ type: 'bytea' })
  sealedShares!: Buffer;

  /** The master key that the envelope's data key is wrapped under. */
  @Column({ type: 'text' })
  masterKeyId!: string;
}
