import {
  BooleanField,
  DateField,
  EnumField,
  RefField,
  OmitOf,
  StringField,
  UuidField,
  defineEnum,
  type EnumValue,
} from '../../common/fields/index.js';

export const SSO_PROVIDERS = defineEnum('SsoProviderEnum', ['okta']);
export type SsoProviderKind = EnumValue<typeof SSO_PROVIDERS>;

export const DOMAIN_PROOF_STATUSES = defineEnum('SsoDomainProofStatus', ['pending', 'proven']);
const TXT = defineEnum('SsoDomainRecordType', ['TXT']);

/** The record that shows whose an email domain is, and whether it has been seen. */
export class SsoDomainProof {
  @EnumField(DOMAIN_PROOF_STATUSES, {
    description: '`pending`: the record has not been seen, and the setup opens nothing. `proven`: it has.',
  })
  status!: EnumValue<typeof DOMAIN_PROOF_STATUSES>;

  @EnumField(TXT)
  dnsRecordType!: EnumValue<typeof TXT>;

  @StringField({ description: 'Where the record stands.' })
  name!: string;

  @StringField({ description: 'What the record says; the same for as long as there is the setup.' })
  value!: string;

  @DateField({ optional: true })
  provenAt?: Date;

  @StringField({ optional: true, description: 'What the last look at the DNS found wrong; absent when nothing was.' })
  problem?: string;
}

export class SsoProvider {
  @UuidField()
  id!: string;

  @StringField()
  clientId!: string;

  @StringField({ description: 'Stands for the secret and reveals nothing of it.' })
  maskedClientSecret!: string;

  @UuidField()
  organizationId!: string;

  @StringField({ description: 'Address of the provider, as configured.' })
  ssoDomain!: string;

  @StringField({ description: 'Domain whose addresses sign in there; lower case, in punycode.' })
  emailDomain!: string;

  @RefField(() => SsoDomainProof)
  domainProof!: SsoDomainProof;

  @EnumField(SSO_PROVIDERS)
  provider!: SsoProviderKind;

  @StringField({ optional: true })
  redirectUrl?: string;

  @BooleanField()
  enforceOnlySSO!: boolean;

  @DateField()
  createdAt!: Date;

  @DateField()
  updatedAt!: Date;
}

/** A provider as events show it. */
export class SsoProviderPayload extends OmitOf(SsoProvider, ['maskedClientSecret', 'redirectUrl']) {}

const DOMAIN = 'Host of the provider, with a path where its issuer has one; https.';
const EMAIL_DOMAIN = 'Email domain whose users sign in there.';

export class SsoProviderCreateRequest {
  @StringField({ max: 255 })
  clientId!: string;

  @StringField({ max: 255, description: 'Kept sealed and never shown again.' })
  clientSecret!: string;

  @StringField({ max: 255, description: DOMAIN })
  ssoDomain!: string;

  @StringField({ max: 255, description: EMAIL_DOMAIN })
  emailDomain!: string;

  @EnumField(SSO_PROVIDERS)
  provider!: SsoProviderKind;
}

export class SsoProviderUpdateRequest {
  @StringField({ optional: true, max: 255 })
  clientId?: string;

  @StringField({ optional: true, max: 255, description: 'Kept sealed and never shown again.' })
  clientSecret?: string;

  @StringField({ optional: true, max: 255, description: DOMAIN })
  ssoDomain?: string;

  @StringField({ optional: true, max: 255, description: EMAIL_DOMAIN })
  emailDomain?: string;

  @EnumField(SSO_PROVIDERS, { optional: true })
  provider?: SsoProviderKind;

  @BooleanField({
    optional: true,
    description: 'Whether members of the domain may sign in only there; for a domain that is proven.',
  })
  enforceOnlySSO?: boolean;
}
