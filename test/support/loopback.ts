import { OutboundError, OutboundHttp } from '../../src/outbound/index.js';
import type { TestApp } from './app.js';

/** Networks have public nodes besides those chosen by a tenant. Makes them unreachable for the service. */
export function stayOnLoopback({ app }: TestApp): void {
  const http = app.get(OutboundHttp);
  const send = http.send.bind(http);
  http.send = async (request) => {
    if (new URL(request.url).hostname !== '127.0.0.1') throw new OutboundError('dns', 'nothing is asked outside');
    return send(request);
  };
}
