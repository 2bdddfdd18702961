import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../database/index.js';

/** A way to sign in, or a service behind one, that an environment has set up. Disabled while `enabledAt` is null. */
@Entity('providers')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'providers_environment', onDelete: 'CASCADE' })
@Index('providers_once', ['environmentId', 'provider'], { unique: true })
export class Provider extends EnvironmentEntity {
  /** One of the contract's provider names, such as `emailOnly`. */
  @Column({ type: 'text' })
  provider!: string;

  @Column({ type: 'timestamptz', nullable: true })
  enabledAt!: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
