import { ROLES, type Role } from '../auth/index.js';
import { EnumField, ListField, RefField, StringField, UuidField } from '../common/fields/index.js';

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
