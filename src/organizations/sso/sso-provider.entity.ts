import { Check, Column, Entity, ForeignKey, Index } from 'typeorm';
import { OrganizationEntity } from '../../database/index.js';
import { Organization } from '../organization.entity.js';
import type { SsoProviderKind } from './sso-provider.dto.js';

/** One organization speaks for the addresses of a domain: the constraint decides between concurrent proofs. */
export const PROVEN_ONCE = 'sso_providers_domain_proven_once';

/** The identity provider of an organization's own people. An organization has at most one. */
@Entity('sso_providers')
@Index('sso_providers_once', ['organizationId'], { unique: true })
@Index('sso_providers_email_domain', ['emailDomain'])
@Index(PROVEN_ONCE, ['emailDomain'], { unique: true, where: 'domain_proven_at IS NOT NULL' })
@Index('sso_providers_domain_due', ['domainCheckedAt'], { where: 'domain_proven_at IS NOT NULL' })
@Index('sso_providers_enforced', ['organizationId'], { where: 'enforce_only_sso' })
@Check('sso_providers_enforced_proven', 'NOT enforce_only_sso OR domain_proven_at IS NOT NULL')
@ForeignKey(() => Organization, ['organizationId'], ['id'], { name: 'sso_providers_organization', onDelete: 'CASCADE' })
export class SsoProviderRow extends OrganizationEntity {
  @Column({ type: 'text' })
  provider!: SsoProviderKind;

  @Column({ type: 'text' })
  clientId!: string;

  @Column({ type: 'bytea' })
  sealedClientSecret!: Buffer;

  /** The vault key that wraps the secret's data key. */
  @Column({ type: 'text' })
  masterKeyId!: string;

  /** As entered. */
  @Column({ type: 'text' })
  ssoDomain!: string;

  /** The issuer that the provider's tokens must name, compared character by character. */
  @Column({ type: 'text' })
  issuer!: string;

  /** Lower-case punycode. */
  @Column({ type: 'text' })
  emailDomain!: string;

  /** The required TXT record value. Public in the DNS, but another organization's cannot be guessed in advance. */
  @Column({ type: 'text' })
  domainChallenge!: string;

  /** Since when the record has been seen; null before that, and again once it disappears. */
  @Column({ type: 'timestamptz', nullable: true })
  domainProvenAt!: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  domainCheckedAt!: Date | null;

  /** The problem found by the last DNS check. */
  @Column({ type: 'text', nullable: true })
  domainProblem!: string | null;

  /** Requires a proof, by a constraint. */
  @Column({ type: 'boolean', default: false })
  enforceOnlySso!: boolean;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
