import {
  defineEnum,
  EnumField,
  ListField,
  PickOf,
  StringField,
  UuidField,
  type EnumValue,
} from '../../common/fields/index.js';

const HOSTNAME = /^(?!-)[A-Za-z0-9-]+([-.]{1}[a-z0-9]+)*\.[A-Za-z]{2,15}$/;

export const USAGES = defineEnum('CustomHostnameUsageEnum', ['cookies', 'globalWallet']);
export const STATUSES = defineEnum('CustomHostnameStatusEnum', ['active', 'pending', 'error']);
export const RECORD_TYPES = defineEnum('DnsRecordType', ['TXT', 'CNAME']);
export const VERIFICATION_TYPES = defineEnum('CustomHostnameVerificationType', ['certificate', 'ownership', 'alias']);

export type HostnameUsage = EnumValue<typeof USAGES>;
export type HostnameStatus = EnumValue<typeof STATUSES>;

/** A DNS record required for the host name. */
export class CustomHostnameVerificationRecord {
  @EnumField(RECORD_TYPES)
  dnsRecordType!: EnumValue<typeof RECORD_TYPES>;

  @EnumField(VERIFICATION_TYPES, {
    description: '`ownership`: proves ownership of the name. `alias`: points the name to this service.',
  })
  verificationType!: EnumValue<typeof VERIFICATION_TYPES>;

  @StringField({ description: 'Name of the record.' })
  name!: string;

  @StringField({ description: 'Value of the record.' })
  value!: string;
}

/** A custom host name, as the API shows it. */
export class CustomHostname {
  @UuidField()
  id!: string;

  @StringField({
    max: 255,
    pattern: HOSTNAME,
    description: 'A name below a domain of yours, stored in lower case.',
    example: 'auth.example.com',
  })
  hostname!: string;

  @EnumField(USAGES)
  usage!: HostnameUsage;

  @EnumField(STATUSES, {
    description:
      '`pending`: the records have not been found yet. `active`: they have. `error`: they were not found in time, are missing, or the name is active in another environment.',
  })
  status!: HostnameStatus;

  @ListField(() => CustomHostnameVerificationRecord)
  verificationRecords!: CustomHostnameVerificationRecord[];

  @StringField({ optional: true, description: 'Problems found in the last DNS check; absent if there were none.' })
  errors?: string;
}

export class DeletedCustomHostname extends PickOf(CustomHostname, ['id', 'hostname', 'usage']) {}

export class CustomHostnamesResponse {
  @ListField(() => CustomHostname)
  customHostnames!: CustomHostname[];
}

export class CustomHostnameCreateRequest extends PickOf(CustomHostname, ['hostname', 'usage']) {}
