import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** Where users keep a copy of their shares. The service has the copy of `platform`, and only knows of the others. */
export type BackupPlace = 'platform' | 'googleDrive' | 'icloud' | 'external';

/** A copy of shares of the user, for one generation of the shares of a key. */
@Entity('key_share_backups')
@Index('key_share_backups_of_wallet', ['environmentId', 'walletId'])
@Index('key_share_backups_of_user', ['environmentId', 'userId'])
@Index('key_share_backups_by_master_key', ['masterKeyId', 'environmentId', 'id'])
@Check('key_share_backups_location', "location IN ('platform', 'googleDrive', 'icloud', 'external')")
@Check(
  'key_share_backups_kept',
  "(location = 'platform') = (sealed_credential IS NOT NULL) AND (sealed_credential IS NULL) = (master_key_id IS NULL)",
)
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'key_share_backups_user',
  onDelete: 'CASCADE',
})
@ForeignKey('wallets', ['environmentId', 'walletId'], ['environmentId', 'id'], {
  name: 'key_share_backups_wallet',
  onDelete: 'CASCADE',
})
export class KeyShareBackup extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'uuid' })
  walletId!: string;

  /** With the generation: the shares that the copy is of. Once they are replaced it is of no use. */
  @Column({ type: 'uuid' })
  keysId!: string;

  @Column({ type: 'integer' })
  generation!: number;

  @Column({ type: 'text' })
  location!: BackupPlace;

  /** As the user's device says: under a password, or under another secret. */
  @Column({ type: 'boolean' })
  passwordEncrypted!: boolean;

  @Column({ type: 'uuid', nullable: true })
  externalKeyShareId!: string | null;

  @Column({ type: 'text', nullable: true })
  keygenId!: string | null;

  /** What the device has encrypted, in an envelope. */
  @Column({ type: 'bytea', nullable: true })
  sealedCredential!: Buffer | null;

  /** The master key that the envelope's data key is wrapped under. */
  @Column({ type: 'text', nullable: true })
  masterKeyId!: string | null;
}
