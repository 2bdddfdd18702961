import { defineEvent } from '../../database/index.js';
import { Origin, DeletedOrigin } from './origin.dto.js';

export const ORIGIN_CREATED = defineEvent('origin.created', 'Browsers may call from another site.', {
  payload: Origin,
});
export const ORIGIN_DELETED = defineEvent('origin.deleted', 'Browsers may no longer call from a site.', {
  payload: DeletedOrigin,
});
