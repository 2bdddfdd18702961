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

/** The DNS record that proves control of an email domain, and whether it has been seen. */
export class SsoDomainProof {
  @EnumField(DOMAIN_PROOF_STATUSES, {
    description: '`pending`: the record has not been found, and the setup lets nobody in. `proven`: it has.',
  })
  status!: EnumValue<typeof DOMAIN_PROOF_STATUSES>;

  @EnumField(TXT)
  dnsRecordType!: EnumValue<typeof TXT>;

  @StringField({ description: 'Name of the record.' })
  name!: string;

  @StringField({ description: 'Value of the record; it does not change during the lifetime of the setup.' })
  value!: string;

  @DateField({ optional: true })
  provenAt?: Date;

  @StringField({ optional: true, description: 'Problems found in the last DNS check; absent if there were none.' })
  problem?: string;
}

export class SsoProvider {
  @UuidField()
  id!: string;

  @StringField()
  clientId!: string;

  @StringField({ description: 'A mask; it reveals nothing about the secret.' })
  maskedClientSecret!: string;

  @UuidField()
  organizationId!: string;

  @StringField({ description: 'Host of the provider, as it was given.' })
  ssoDomain!: string;

  @StringField({ description: 'Domain of the addresses that sign in there; lower case, in punycode.' })
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

const DOMAIN = 'Host of the provider, with a path if its issuer has one; https.';
const EMAIL_DOMAIN = 'Domain of the email addresses that sign in there.';

export class SsoProviderCreateRequest {
  @StringField({ max: 255 })
  clientId!: string;

  @StringField({ max: 255, description: 'Stored encrypted and never shown again.' })
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

  @StringField({ optional: true, max: 255, description: 'Stored encrypted and never shown again.' })
  clientSecret?: string;

  @StringField({ optional: true, max: 255, description: DOMAIN })
  ssoDomain?: string;

  @StringField({ optional: true, max: 255, description: EMAIL_DOMAIN })
  emailDomain?: string;

  @EnumField(SSO_PROVIDERS, { optional: true })
  provider?: SsoProviderKind;

  @BooleanField({
    optional: true,
    description: 'Whether people of the domain can sign in only there; requires a proven domain.',
  })
  enforceOnlySSO?: boolean;
}
