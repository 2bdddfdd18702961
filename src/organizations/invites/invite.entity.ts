import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import type { Role } from '../../auth/index.js';
import { OrganizationEntity } from '../../database/index.js';
import { Organization } from '../organization.entity.js';

export type InviteStatus = 'pending' | 'rejected' | 'accepted';

/** An offer of membership to the owner of an email address. It expires after a week. */
@Entity('invites')
@Index('invites_pending', ['organizationId', 'email'], { unique: true, where: "status = 'pending'" })
@Index('invites_of_organization', ['organizationId', 'status', 'id'])
@Index('invites_of_email', ['email', 'status', 'id'])
@Index('invites_of_answerer', ['answeredBy'], { where: 'answered_by IS NOT NULL' })
@Index('invites_expired', ['expiresAt'])
@Index('invites_token', ['tokenHash'], { unique: true })
@Check('invites_role', "role IN ('owner', 'admin', 'developer', 'viewer')")
@Check('invites_status', "status IN ('pending', 'rejected', 'accepted')")
@Check('invites_answer', "(status = 'pending') = (answered_at IS NULL AND answered_by IS NULL)")
@ForeignKey(() => Organization, ['organizationId'], ['id'], { name: 'invites_organization', onDelete: 'CASCADE' })
export class InviteRow extends OrganizationEntity {
  /** Normalised, so that equal values mean the same mailbox. */
  @Column({ type: 'text' })
  email!: string;

  @Column({ type: 'text' })
  role!: Role;

  @Column({ type: 'text', default: 'pending' })
  status!: InviteStatus;

  @Column({ type: 'text', nullable: true })
  alias!: string | null;

  @Column({ type: 'text', nullable: true })
  walletPublicKey!: string | null;

  /** SHA-256 of the token in the emailed link. */
  @Column({ type: 'bytea' })
  tokenHash!: Buffer;

  /** A console user. */
  @Column({ type: 'uuid' })
  createdBy!: string;

  @Column({ type: 'timestamptz' })
  expiresAt!: Date;

  /** When the mail server accepted the email; null until then. */
  @Column({ type: 'timestamptz', nullable: true })
  sentAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  answeredAt!: Date | null;

  @Column({ type: 'uuid', nullable: true })
  answeredBy!: string | null;
}
