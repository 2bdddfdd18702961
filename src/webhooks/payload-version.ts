/** The payload version of new webhooks. */
export { EVENT_VERSION as PAYLOAD_VERSION } from '../database/index.js';
