import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** Where users keep copies of their shares. The service stores those of `platform`, and only knows of the others. */
export type BackupPlace = 'platform' | 'googleDrive' | 'icloud' | 'external';

/** A copy of the user's shares, for one generation of a key's shares. */
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

  /** With the generation: the shares that were copied. The copy is useless once they are replaced. */
  @Column({ type: 'uuid' })
  keysId!: string;

  @Column({ type: 'integer' })
  generation!: number;

  @Column({ type: 'text' })
  location!: BackupPlace;

  /** As stated by the user's device: encrypted with a password, or with another secret. */
  @Column({ type: 'boolean' })
  passwordEncrypted!: boolean;

  @Column({ type: 'uuid', nullable: true })
  externalKeyShareId!: string | null;

  @Column({ type: 'text', nullable: true })
  keygenId!: string | null;

  /** The data encrypted by the device, in an envelope. */
  @Column({ type: 'bytea', nullable: true })
  sealedCredential!: Buffer | null;

  /** The master key that the envelope's data key is wrapped under. */
  @Column({ type: 'text', nullable: true })
  masterKeyId!: string | null;
}
