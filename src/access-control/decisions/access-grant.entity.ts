import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** What the rules of an environment gave a user last. */
@Entity('access_grants')
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'access_grants_user',
  onDelete: 'CASCADE',
})
@Index('access_grants_due', ['sweptAt'])
export class AccessGrantRow {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'uuid' })
  userId!: string;

  @Column({ type: 'text', array: true })
  scopes!: string[];

  /** Counted up by every writer, so that one who has looked at an older row changes nothing. */
  @Column({ type: 'integer', default: 1 })
  revision!: number;

  /** When sound answers last confirmed it. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  confirmedAt!: Date;

  /** When somebody last tried to find out. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  sweptAt!: Date;
}
