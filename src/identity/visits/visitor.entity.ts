import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** A wallet that connected to an application without signing in. */
@Entity('visitors')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'visitors_environment', onDelete: 'CASCADE' })
@Index('visitors_once', ['environmentId', 'address', 'chain', 'walletName'], { unique: true })
@Index('visitors_by_creation', ['environmentId', 'createdAt', 'id'])
@Index('visitors_of_chain', ['environmentId', 'chain', 'createdAt', 'id'])
@Index('visitors_address', { synchronize: false })
@Index('visitors_old', ['lastVisit'])
export class Visitor extends EnvironmentEntity {
  @Column({ type: 'text' })
  address!: string;

  @Column({ type: 'text' })
  chain!: string;

  @Column({ type: 'text' })
  provider!: string;

  @Column({ type: 'text' })
  walletName!: string;

  @Column({ type: 'text', nullable: true })
  authMode!: string | null;

  @Column({ type: 'integer', default: 1 })
  visits!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  lastVisit!: Date;
}
