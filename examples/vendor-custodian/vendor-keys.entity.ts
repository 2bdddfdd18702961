import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../src/database/index.js';

@Entity('vendor_keys')
@Index('vendor_keys_one_per_user', ['environmentId', 'userId'], { unique: true, where: 'destroy_after IS NULL' })
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'vendor_keys_environment', onDelete: 'CASCADE' })
export class VendorKeysRow extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'timestamptz', nullable: true })
  destroyAfter!: Date | null;
}
