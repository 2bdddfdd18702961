import { defineEvent } from '../../database/index.js';
import { CustomHostname, DeletedCustomHostname } from './custom-hostname.dto.js';

export const CUSTOM_HOSTNAME_CREATED = defineEvent('customHostname.created', 'A custom hostname was registered.', {
  payload: CustomHostname,
});
export const CUSTOM_HOSTNAME_UPDATED = defineEvent(
  'customHostname.updated',
  'The DNS records of a custom hostname were found, or are missing.',
  { payload: CustomHostname },
);
export const CUSTOM_HOSTNAME_DELETED = defineEvent('customHostname.deleted', 'A custom hostname was deleted.', {
  payload: DeletedCustomHostname,
});
