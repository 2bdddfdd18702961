import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** An application URL that sign-in may redirect to. */
@Entity('deeplink_urls')
@Index('deeplink_urls_once', ['environmentId', 'url'], { unique: true })
@ForeignKey('Environment', ['environmentId'], ['id'], { name: 'deeplink_urls_environment', onDelete: 'CASCADE' })
export class DeeplinkUrlEntity extends EnvironmentEntity {
  @Column({ type: 'text' })
  url!: string;
}
