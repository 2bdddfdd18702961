const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The address of an endpoint or issuer is https, or plain http to this machine. */
export const isSecure = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname));
