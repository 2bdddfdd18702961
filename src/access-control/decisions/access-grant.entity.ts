import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** What the rules of an environment last granted a user. */
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

  /** Incremented by every writer, for optimistic locking. */
  @Column({ type: 'integer', default: 1 })
  revision!: number;

  /** When it was last confirmed by conclusive checks. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  confirmedAt!: Date;

  /** When a check was last attempted. */
  @Column({ type: 'timestamptz', default: () => 'now()' })
  sweptAt!: Date;
}
