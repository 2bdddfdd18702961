import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { bareHost, EgressPolicy, GuardedDispatcher, OutboundHttp } from '../outbound/index.js';
import type { Quickstart } from './quickstart.js';

const TIMEOUT_MS = 1_000;
const ASKED_BY = 'x-asked-by';

/**
 * Whether the instance that wrote the quick start of this folder still answers where it says. Another program that has its
 * port by now does not know the token. This instance does: it is there itself if only its PUBLIC_URL is another than at
 * the last start.
 */
export async function isStillThere(
  { api, environments: { sandbox } }: Pick<Quickstart, 'api' | 'environments'>,
  own: Server,
): Promise<boolean> {
  const policy = new EgressPolicy(bareHost(new URL(api).hostname), { allowHttp: true, allowIpLiterals: true });
  const http = new OutboundHttp(policy, new GuardedDispatcher(policy));
  const mark = randomUUID();
  let isOwn = false;
  const watch = ({ headers }: IncomingMessage): void => {
    isOwn ||= headers[ASKED_BY] === mark;
  };
  own.on('request', watch);
  try {
    const headers = { authorization: `Bearer ${sandbox.apiToken}`, [ASKED_BY]: mark };
    const url = `${api}/environments/${sandbox.id}/webhooks`;
    const { status } = await http.send({ method: 'GET', url, headers, timeoutMs: TIMEOUT_MS });
    // One that has only just made its data may answer that it is not open yet.
    return !isOwn && (status === 200 || status === 503);
  } catch {
    return false;
  } finally {
    own.off('request', watch);
    await http.close();
  }
}
