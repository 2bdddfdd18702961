import type { IncomingMessage } from 'node:http';

const LOOPBACK = /^(?:::ffff:)?127\.\d{1,3}\.\d{1,3}\.\d{1,3}$|^::1$/;
const LOCAL_HOST = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-real-ip'];

/**
 * Whether a request comes from this machine and was meant for it: the peer is a loopback address, no proxy header is
 * present, the Host is local (a public name that resolves to loopback is DNS rebinding), and it is not a cross-site
 * request from a browser.
 */
export function isLocalRequest(request: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  const { headers, socket } = request;
  if (!LOOPBACK.test(socket.remoteAddress ?? '') || !LOCAL_HOST.test(headers.host ?? '')) return false;
  if (FORWARDED.some((name) => headers[name] !== undefined)) return false;
  const site = headers['sec-fetch-site'];
  return site === undefined || site === 'same-origin' || site === 'none' || isNavigation(headers);
}

/** A link followed from another site is fine: that site cannot read the page. */
const isNavigation = (headers: IncomingMessage['headers']): boolean =>
  headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
