export { classifyAddress } from './address-class.js';
export { EgressAllowError } from './egress-allow-list.js';
export { EgressPolicy, type EgressRefusal, type UrlVerdict } from './egress-policy.js';
export { GuardedDispatcher } from './guarded-dispatcher.js';
export { bareHost, isHostName, isInsideHost } from './host-name.js';
export type { OutboundResponse } from './outbound-exchange.js';
export { OutboundHttp, type OutboundRequest, type OutboundResult } from './outbound-http.js';
export { OutboundError, tenantFailure, type OutboundErrorKind, type TenantFailure } from './outbound.errors.js';
export { OutboundModule } from './outbound.module.js';
