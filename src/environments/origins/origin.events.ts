import { defineEvent } from '../../database/index.js';
import { Origin, DeletedOrigin } from './origin.dto.js';

export const ORIGIN_CREATED = defineEvent('origin.created', 'A browser origin was allowed.', {
  payload: Origin,
});
export const ORIGIN_DELETED = defineEvent('origin.deleted', 'A browser origin was removed.', {
  payload: DeletedOrigin,
});
