/** Names the form of events and messages; it changes when a consumer would have to. */
export const PAYLOAD_VERSION = '2026-11-20';
