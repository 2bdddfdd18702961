import type { RedisOptions } from 'ioredis';

/** A lost or refused connection is opened again after this long at the earliest, and at the latest. */
const AGAIN_MS = { least: 1_000, most: 20_000 } as const;

/**
 * What Bull needs to connect to REDIS_URL. Given the address itself, Bull reads it without its scheme: it would speak to
 * `rediss://` in the clear, the password included. Its own delay also begins anew whenever a connection stands, which
 * one with a wrong password does, for a moment, hundreds of times a second.
 */
export function queueConnection(address: string): RedisOptions {
  const url = new URL(address);
  const { family, ...others } = Object.fromEntries(url.searchParams);
  return {
    ...others,
    ...(family !== undefined && { family: Number(family) }),
    host: url.hostname.replaceAll(/^\[|\]$/g, ''),
    port: Number(url.port || 6379),
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    db: Number(url.pathname.slice(1) || 0),
    ...(url.protocol === 'rediss:' && { tls: {} }),
    retryStrategy: (times) => Math.min(Math.max(AGAIN_MS.least, Math.exp(times)), AGAIN_MS.most),
  };
}
