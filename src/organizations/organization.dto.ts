import { ROLES, type Role } from '../auth/index.js';
import {
  EnumField,
  ListField,
  OmitOf,
  RefField,
  StringField,
  UuidField,
  defineEnum,
  type EnumValue,
} from '../common/fields/index.js';

export const IMPLEMENTATION_TIMELINES = defineEnum('WhenToImplementEnum', [
  'yesterday',
  'nextTwoWeeks',
  'nextTwoMonths',
  'justBrowsing',
]);
export type ImplementationTimeline = EnumValue<typeof IMPLEMENTATION_TIMELINES>;

export class OrganizationAddressFields {
  @StringField({ optional: true, max: 255 })
  addressLine1?: string;

  @StringField({ optional: true, max: 255 })
  addressLine2?: string;

  @StringField({ optional: true, max: 50 })
  city?: string;

  @StringField({ optional: true, max: 50 })
  region?: string;

  @StringField({ optional: true, max: 50 })
  postalCode?: string;

  @StringField({ optional: true, max: 2, pattern: /^[a-zA-Z]{2}$/, description: 'ISO 3166-1 alpha-2.' })
  country?: string;
}

export class Organization {
  @UuidField()
  id!: string;

  @StringField()
  name!: string;

  @StringField({ optional: true })
  description?: string;

  @StringField({ optional: true })
  websiteUrl?: string;

  @RefField(() => OrganizationAddressFields, { optional: true })
  address?: OrganizationAddressFields;

  @EnumField(ROLES, { optional: true, description: 'The role of the caller.' })
  role?: Role;
}

export class OrganizationsResponse {
  @ListField(() => Organization, { optional: true })
  organizations?: Organization[];
}

/** An organization without the caller's role in it. */
export class OrganizationResponseOrganization extends OmitOf(Organization, ['role']) {}

export class OrganizationResponse {
  @RefField(() => OrganizationResponseOrganization, { optional: true })
  organization?: OrganizationResponseOrganization;
}

const SITE = 'An absolute http or https URL.';

export class OrganizationRequest {
  @StringField({ min: 1, max: 255, visible: true, description: 'At least one character is visible.' })
  name!: string;

  @StringField({ optional: true, min: 1, max: 255 })
  description?: string;

  @StringField({ optional: true, min: 1, max: 255, description: SITE })
  websiteUrl?: string;

  @EnumField(IMPLEMENTATION_TIMELINES, { optional: true })
  implementationTimeline?: ImplementationTimeline;
}

export class OrganizationFields {
  @StringField({ min: 1, max: 255, visible: true, description: 'At least one character is visible.' })
  name!: string;

  @StringField({ optional: true, max: 255, description: 'An empty string removes it.' })
  description?: string;

  @StringField({ optional: true, max: 255, description: `${SITE} An empty text removes it.` })
  websiteUrl?: string;
}
