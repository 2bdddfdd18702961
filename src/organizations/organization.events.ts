import { defineEvent } from '../database/index.js';
import { OrganizationResponseOrganization } from './organization.dto.js';

const OF_ORGANIZATION = { payload: OrganizationResponseOrganization, ofOrganization: true };

export const ORGANIZATION_CREATED = defineEvent(
  'organization.created',
  'Somebody founded an organization.',
  OF_ORGANIZATION,
);
export const ORGANIZATION_UPDATED = defineEvent(
  'organization.updated',
  'The name, description, site or address of an organization was changed.',
  OF_ORGANIZATION,
);
