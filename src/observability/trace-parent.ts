/** A parsed `traceparent` header of W3C Trace Context (§3.2). */
export interface TraceParent {
  traceId: string;
  spanId: string;
  traceFlags: number;
}

const FORM = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Null for an invalid header; additional fields of later versions are ignored. */
export function parseTraceParent(text: unknown): TraceParent | null {
  if (typeof text !== 'string' || text.length > 512) return null;
  const [, version, traceId, spanId, flags, more] = FORM.exec(text) ?? [];
  if (!traceId || !spanId || !flags || (version === '00' && more !== undefined)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

export const formatTraceParent = ({ traceId, spanId, traceFlags }: TraceParent): string =>
  `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, '0')}`;
