import { DEFAULT_TIMEOUT_MS, OutboundHttp, type OutboundRequest } from '../../src/outbound/outbound-http.js';
import type { TestApp } from './app.js';

/** Requests that the service makes over HTTP wait for a third of their time: for tests of peers that never answer. */
export const HURRIED = 3;

/** To be passed to `startTestApp` as `prepare`. */
export function hurry(app: TestApp['app']): Promise<void> {
  const http = app.get(OutboundHttp);
  const send = http.send.bind(http);
  http.send = (request: OutboundRequest) =>
    send({ ...request, timeoutMs: (request.timeoutMs ?? DEFAULT_TIMEOUT_MS) / HURRIED });
  return Promise.resolve();
}
