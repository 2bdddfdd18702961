import { createServer, type RequestListener, type Server } from 'node:http';

/**
 * Milliseconds. Keep-alive is longer than the usual idle timeout of load balancers (60 s), so that they close first. Node
 * looks for requests beyond their limits every 30 seconds, so that headers would have up to 40 of them.
 */
const LIMITS = {
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
};

/** An HTTP server that limits the time of requests. */
export function limitedServer(handler: RequestListener, scale = 1): Server {
  return createServer(Object.fromEntries(Object.entries(LIMITS).map(([name, ms]) => [name, ms * scale])), handler);
}
