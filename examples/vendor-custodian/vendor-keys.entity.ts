import { Column, Entity, ForeignKey, Index } from 'typeorm';
import type { CustodyVersion } from '../../src/custody/index.js';
import { EnvironmentEntity } from '../../src/database/index.js';

@Entity('vendor_keys')
@Index('vendor_keys_one_per_user', ['environmentId', 'userId', 'version'], {
  unique: true,
  where: 'destroy_after IS NULL',
})
@Index('vendor_keys_due', ['destroyAfter'], { where: 'destroy_after IS NOT NULL' })
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'vendor_keys_environment', onDelete: 'CASCADE' })
export class VendorKeysRow extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  /** The custodian that created them: each knows only its own. */
  @Column({ type: 'text' })
  version!: CustodyVersion;

  @Column({ type: 'timestamptz', nullable: true })
  destroyAfter!: Date | null;

  /** When the environment was first exported with them: from then on another installation may use the same keys. */
  @Column({ type: 'timestamptz', nullable: true })
  exportedAt!: Date | null;
}
