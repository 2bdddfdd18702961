import { defineEvent } from '../../database/index.js';
import { SsoProviderPayload } from './sso-provider.dto.js';

const OF_PROVIDER = { payload: SsoProviderPayload, ofOrganization: true };

export const SSO_PROVIDER_CREATED = defineEvent('ssoProvider.created', 'Single sign-on was set up.', OF_PROVIDER);
export const SSO_PROVIDER_UPDATED = defineEvent('ssoProvider.updated', 'Single sign-on was changed.', OF_PROVIDER);
export const SSO_PROVIDER_DELETED = defineEvent('ssoProvider.deleted', 'Single sign-on was removed.', OF_PROVIDER);
