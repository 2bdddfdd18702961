import { defineEvent } from '../../database/index.js';
import { OrganizationMfaSettings } from './mfa-settings.dto.js';

export const MFA_SETTINGS_UPDATED = defineEvent(
  'organization.mfaSettings.updated',
  'An organization allowed or disallowed a kind of second factor.',
  { payload: OrganizationMfaSettings, ofOrganization: true },
);
