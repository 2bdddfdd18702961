import type { IncomingMessage } from 'node:http';

const LOOPBACK = /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/;
const LOCAL_HOST = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip'];

/**
 * True when the request comes from this machine and was meant for it: the peer of the connection is a loopback
 * address, no proxy speaks for somebody else, the name asked for is local (a public name that resolves to loopback is
 * DNS rebinding), and a browser does not say that another site asks.
 */
export function isLocalRequest(request: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  const { headers, socket } = request;
  if (!LOOPBACK.test(socket.remoteAddress ?? '') || !LOCAL_HOST.test(headers.host ?? '')) return false;
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none' || isNavigation(headers);
}

/** A link followed from another site shows a page to the person; the other site reads nothing of it. */
const isNavigation = (headers: IncomingMessage['headers']): boolean =>
  headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
