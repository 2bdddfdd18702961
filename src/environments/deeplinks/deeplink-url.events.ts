import { defineEvent } from '../../database/index.js';
import { DeeplinkUrl, DeletedDeeplinkUrl } from './deeplink-url.dto.js';

export const DEEPLINK_URL_CREATED = defineEvent('deeplinkUrl.created', 'A deeplink address was allowed for sign-in.', {
  payload: DeeplinkUrl,
});
export const DEEPLINK_URL_DELETED = defineEvent('deeplinkUrl.deleted', 'A deeplink address was removed.', {
  payload: DeletedDeeplinkUrl,
});
