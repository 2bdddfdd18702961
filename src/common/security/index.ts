export { refusedRequest, securityEventOf } from './refused-request.js';
export { SECURITY_EVENTS, SecurityEvent } from './security-event.js';
export { SecurityLog } from './security-log.js';
