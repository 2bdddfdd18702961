import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** An order or payment requested with an idempotency key. Its id is derived from the key and the user who sent it. */
@Entity('ramp_orders')
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'ramp_orders_user',
  onDelete: 'CASCADE',
})
@Index('ramp_orders_of_user', ['environmentId', 'userId'])
@Index('ramp_orders_created', ['createdAt'])
export class RampOrder extends EnvironmentEntity {
  @Column({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'text' })
  provider!: string;

  @Column({ type: 'bytea' })
  requestHash!: Buffer;

  /** SHA-256 of the key, by which it is found after its user was merged into another. Null for older ones. */
  @Column({ type: 'bytea', nullable: true })
  keyHash!: Buffer | null;

  /** The vendor's reference; null until it has answered. */
  @Column({ type: 'text', nullable: true })
  reference!: string | null;
}
