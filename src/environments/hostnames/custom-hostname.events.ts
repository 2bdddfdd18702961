import { defineEvent } from '../../database/index.js';
import { CustomHostname, DeletedCustomHostname } from './custom-hostname.dto.js';

export const CUSTOM_HOSTNAME_CREATED = defineEvent('customHostname.created', 'A host name was registered.', {
  payload: CustomHostname,
});
export const CUSTOM_HOSTNAME_UPDATED = defineEvent(
  'customHostname.updated',
  'The DNS records of a host name were seen, or are gone.',
  { payload: CustomHostname },
);
export const CUSTOM_HOSTNAME_DELETED = defineEvent('customHostname.deleted', 'A host name was deleted.', {
  payload: DeletedCustomHostname,
});
