import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { EnvironmentEntity } from '../../database/index.js';

/** An order or payment that was asked for with a key. Its id is made of the key and whoever used it. */
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

  /** What the vendor calls it; null until it has answered. */
  @Column({ type: 'text', nullable: true })
  reference!: string | null;
}
