import { bareHost, EgressPolicy, GuardedDispatcher, OutboundHttp } from '../outbound/index.js';
import type { Quickstart } from './quickstart.js';

const TIMEOUT_MS = 1_000;

/**
 * Whether the instance that wrote the quick start of this folder still answers where it says. Another program that has its
 * port by now does not know the token.
 */
export async function isStillThere({ api, environments: { sandbox } }: Quickstart): Promise<boolean> {
  const policy = new EgressPolicy(bareHost(new URL(api).hostname), { allowHttp: true, allowIpLiterals: true });
  const http = new OutboundHttp(policy, new GuardedDispatcher(policy));
  try {
    const headers = { authorization: `Bearer ${sandbox.apiToken}` };
    const url = `${api}/environments/${sandbox.id}/webhooks`;
    const { status } = await http.send({ method: 'GET', url, headers, timeoutMs: TIMEOUT_MS });
    // One that has only just made its data may answer that it is not open yet.
    return status === 200 || status === 503;
  } catch {
    return false;
  } finally {
    await http.close();
  }
}
