/** The browser's client data of a ceremony, as signed by the authenticator (WebAuthn Level 3 §5.8.1). */
export interface ClientData {
  type: string;
  challenge: string;
  origin: string;
  /** Whether it was created in a frame of another site. */
  isCrossOrigin: boolean;
}

/** Browsers write about 200 characters. */
const MAX_LENGTH = 4_096;

/** Null for anything no browser would write. Not trustworthy until the signature is verified. */
export function parseClientData(encoded: string): ClientData | null {
  if (encoded.length > MAX_LENGTH || !/^[\w-]+$/.test(encoded)) return null;
  const read = parseObject(Buffer.from(encoded, 'base64url').toString('utf8'));
  if (!read) return null;
  const { type, challenge, origin, crossOrigin, topOrigin } = read;
  if (typeof type !== 'string' || typeof challenge !== 'string' || typeof origin !== 'string') return null;
  return { type, challenge, origin, isCrossOrigin: crossOrigin === true || topOrigin !== undefined };
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
