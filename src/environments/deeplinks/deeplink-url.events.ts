import { defineEvent } from '../../database/index.js';
import { DeeplinkUrl, DeletedDeeplinkUrl } from './deeplink-url.dto.js';

export const DEEPLINK_URL_CREATED = defineEvent('deeplinkUrl.created', 'Sign-in may return to another address.', {
  payload: DeeplinkUrl,
});
export const DEEPLINK_URL_DELETED = defineEvent('deeplinkUrl.deleted', 'Sign-in may no longer return to an address.', {
  payload: DeletedDeeplinkUrl,
});
