import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** A site from which browsers may call the environment; its host may have a wildcard for one label. */
@Entity('origins')
@Index('origins_once', ['environmentId', 'origin'], { unique: true })
@ForeignKey('Environment', ['environmentId'], ['id'], { name: 'origins_environment', onDelete: 'CASCADE' })
export class OriginEntity extends EnvironmentEntity {
  @Column({ type: 'text' })
  origin!: string;
}
