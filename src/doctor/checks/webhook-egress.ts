import { EgressPolicy } from '../../outbound/index.js';
import { causeOf, fail, ok, warn, type Finding } from '../finding.js';

/** @param allowed what EGRESS_ALLOW or its default says */
export function checkWebhookEgress(allowed: string, isProduction: boolean): Finding {
  try {
    new EgressPolicy(allowed, { allowHttp: !isProduction, allowIpLiterals: !isProduction });
  } catch (error) {
    return fail(causeOf(error), 'correct EGRESS_ALLOW');
  }
  if (allowed.trim() === '') return ok('public https addresses alone');
  return isProduction
    ? warn(`besides public https also ${allowed}`, 'remove from EGRESS_ALLOW what no webhook needs')
    : ok(`besides public addresses also ${allowed}`);
}
