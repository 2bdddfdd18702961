import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** A single-use sign-in link for one person, stored as the hash of its secret. */
@Entity('sign_in_links')
@ForeignKey('environments', ['environmentId'], ['id'], { name: 'sign_in_links_environment', onDelete: 'CASCADE' })
@ForeignKey('users', ['environmentId', 'userId'], ['environmentId', 'id'], {
  name: 'sign_in_links_user',
  onDelete: 'CASCADE',
})
@Index('sign_in_links_expired', ['expiresAt'])
@Index('sign_in_links_of_user', ['environmentId', 'userId'], { unique: true })
export class SignInLinkRow {
  @PrimaryColumn({ type: 'uuid' })
  environmentId!: string;

  @PrimaryColumn({ type: 'bytea' })
  secretHash!: Buffer;

  @Column({ type: 'uuid' })
  userId!: string;

  /** The person's address as known to the operator, in normal form. */
  @Column({ type: 'text' })
  email!: string;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;
}
