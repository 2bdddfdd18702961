import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { OrganizationEntity } from '../../database/index.js';
import { Organization } from '../organization.entity.js';
import type { SsoProviderKind } from './sso-provider.dto.js';

/** The identity provider of an organization's own people. An organization has at most one. */
@Entity('sso_providers')
@Index('sso_providers_once', ['organizationId'], { unique: true })
@Index('sso_providers_email_domain', ['emailDomain'])
@ForeignKey(() => Organization, ['organizationId'], ['id'], { name: 'sso_providers_organization', onDelete: 'CASCADE' })
export class SsoProviderRow extends OrganizationEntity {
  @Column({ type: 'text' })
  provider!: SsoProviderKind;

  @Column({ type: 'text' })
  clientId!: string;

  @Column({ type: 'bytea' })
  sealedClientSecret!: Buffer;

  /** The key of the vault that the secret's data key is under. */
  @Column({ type: 'text' })
  masterKeyId!: string;

  /** As it was given. */
  @Column({ type: 'text' })
  ssoDomain!: string;

  /** What tokens of the provider must name, character by character. */
  @Column({ type: 'text' })
  issuer!: string;

  /** Lower case, in punycode. */
  @Column({ type: 'text' })
  emailDomain!: string;

  @Column({ type: 'boolean', default: false })
  enforceOnlySso!: boolean;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
