/** What new webhooks are made for. */
export { EVENT_VERSION as PAYLOAD_VERSION } from '../database/index.js';
