import { createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookSecret } from './webhook-secret.js';
import type { WebhookSigningKey } from './webhook-signing-key.js';

/** Header names as sent: Standard Webhooks 1.0 and, last, the older scheme over the body alone. */
export interface WebhookSignatureHeaders {
  'webhook-id': string;
  'webhook-timestamp': string;
  'webhook-signature': string;
  'x-webhook-signature-256': string;
}

export interface SignWebhookInput {
  /** The same for every attempt; visible ASCII without the dot that separates the signed parts. */
  messageId: string;
  /** Unix time of this attempt in whole seconds. */
  timestamp: number;
  /** Exactly the bytes sent; a string stands for its UTF-8 bytes. */
  body: Buffer | string;
  /** The current secret first, then any that still overlap after a rotation. */
  secrets: readonly WebhookSecret[];
  /** In the same order; none if the webhook did not ask for them. */
  signingKeys?: readonly WebhookSigningKey[];
}

const MESSAGE_ID = /^[!-\-/-~]{1,256}$/;

/**
 * Two signatures over the same message.
 *
 * `webhook-signature` (Standard Webhooks 1.0): for each secret `v1,` and the base64 HMAC-SHA256 of
 * `<id>.<timestamp>.<body>`, separated by spaces. The key is the decoded base64 after `whsec_`. For each key pair
 * `v1a,` and the base64 Ed25519 signature of the same bytes.
 *
 * `x-webhook-signature-256` (older scheme): `sha256=` and the lower-case hex HMAC-SHA256 of the body alone. The key is
 * the UTF-8 text of the whole secret, including `whsec_`. It has room for one value: during the overlap of a rotation
 * it uses the older secret, which receivers already have, and the new one after that.
 */
export function signWebhook(input: SignWebhookInput): WebhookSignatureHeaders {
  const { messageId, timestamp, body, secrets, signingKeys = [] } = input;
  const oldest = secrets.at(-1);
  if (!oldest) throw new RangeError('a webhook is signed with at least one secret');
  if (!MESSAGE_ID.test(messageId)) throw new RangeError('a message id is visible ASCII without a dot');
  if (!Number.isSafeInteger(timestamp) || timestamp < 0) throw new RangeError('a timestamp is in whole seconds');
  const seconds = String(timestamp);
  return {
    'webhook-id': messageId,
    'webhook-timestamp': seconds,
    'webhook-signature': [
      ...secrets.map((secret) => `v1,${contentSignature(secret, messageId, seconds, body)}`),
      ...publicSignatures(signingKeys, messageId, seconds, body),
    ].join(' '),
    'x-webhook-signature-256': bodySignature(oldest, body),
  };
}

export type WebhookVerification =
  { verified: true } | { verified: false; reason: 'missing_header' | 'bad_timestamp' | 'no_matching_signature' };

export type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

export const TOLERANCE_SECONDS = 300;
/** Bounds the work that a forged header can cause; a sender lists one signature per overlapping secret. */
const MAX_SIGNATURES = 16;

/**
 * The receiver's check of `webhook-signature`, in constant time for each candidate.
 * @param headers with names in any case
 * @param body the raw bytes as received, before any JSON parser
 */
export function verifyWebhook(
  headers: ReceivedHeaders,
  body: Buffer | string,
  secret: WebhookSecret,
  now: Date,
  toleranceSeconds = TOLERANCE_SECONDS,
): WebhookVerification {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures) return { verified: false, reason: 'missing_header' };

  const ageSeconds = /^\d{1,12}$/.test(timestamp) ? now.getTime() / 1000 - Number(timestamp) : NaN;
  if (!(Math.abs(ageSeconds) <= toleranceSeconds)) return { verified: false, reason: 'bad_timestamp' };

  const expected = `v1,${contentSignature(secret, id, timestamp, body)}`;
  const matching = signatures.split(' ', MAX_SIGNATURES).filter((candidate) => sameText(candidate, expected));
  return matching.length > 0 ? { verified: true } : { verified: false, reason: 'no_matching_signature' };
}

/** The receiver's check of `x-webhook-signature-256`. It authenticates only the body: neither the id nor the time. */
export function verifyBodySignature(headers: ReceivedHeaders, body: Buffer | string, secret: WebhookSecret): boolean {
  const received = headerOf(headers, 'x-webhook-signature-256');
  return received !== undefined && sameText(received, bodySignature(secret, body));
}

function contentSignature(secret: WebhookSecret, id: string, timestamp: string, body: Buffer | string): string {
  return createHmac('sha256', secret.hmacKey()).update(`${id}.${timestamp}.`).update(body).digest('base64');
}

function publicSignatures(
  keys: readonly WebhookSigningKey[],
  id: string,
  timestamp: string,
  body: Buffer | string,
): string[] {
  if (keys.length === 0) return [];
  // Ed25519 needs its message in one piece.
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(body)]);
  return keys.map((key) => `v1a,${key.sign(content)}`);
}

function bodySignature(secret: WebhookSecret, body: Buffer | string): string {
  return `sha256=${createHmac('sha256', secret.reveal()).update(body).digest('hex')}`;
}

/** Compares the encoded texts, not decoded bytes: base64 has several encodings of one value and only one is right. */
function sameText(received: string, expected: string): boolean {
  const a = Buffer.from(received);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** A repeated header counts as absent: otherwise an attacker could choose which of them is believed. */
function headerOf(headers: ReceivedHeaders, name: string): string | undefined {
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  const value = found.length === 1 ? found[0]?.[1] : undefined;
  return typeof value === 'string' ? value : undefined;
}
