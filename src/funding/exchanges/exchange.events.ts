import { defineEvent } from '../../database/index.js';
import { DeletedExchange, Exchange } from './exchange.dto.js';

const OF_EXCHANGE = { payload: Exchange };

export const EXCHANGE_CREATED = defineEvent('exchange.created', 'An exchange was set up.', OF_EXCHANGE);
export const EXCHANGE_ENABLED = defineEvent('exchange.enabled', 'An exchange was enabled.', OF_EXCHANGE);
export const EXCHANGE_DISABLED = defineEvent('exchange.disabled', 'An exchange was disabled.', OF_EXCHANGE);
export const EXCHANGE_DELETED = defineEvent('exchange.deleted', 'An exchange was removed.', {
  payload: DeletedExchange,
});
