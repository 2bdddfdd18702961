import { EgressPolicy } from '../../outbound/index.js';
import { causeOf, fail, ok, warn, type Finding } from '../finding.js';

/** @param allowed EGRESS_ALLOW or its default */
export function checkWebhookEgress(allowed: string, isProduction: boolean): Finding {
  try {
    new EgressPolicy(allowed, { allowHttp: !isProduction, allowIpLiterals: !isProduction });
  } catch (error) {
    return fail(causeOf(error), 'correct EGRESS_ALLOW');
  }
  if (allowed.trim() === '') return ok('public https addresses only');
  return isProduction
    ? warn(`public https and ${allowed}`, 'remove from EGRESS_ALLOW what no webhook needs')
    : ok(`public addresses and ${allowed}`);
}
