/** Marks bytes. An object key that begins with it gets one more, so that no text passes for bytes. */
const MARK = '$';

/** Maximum frame size. Client requests are limited to far less. */
export const MAX_FRAME_BYTES = 8 * 1024 * 1024;
const LENGTH_BYTES = 4;

/** An invalid frame: the sender does not speak this protocol. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** JSON in which bytes are marked. Values that JSON cannot represent, such as functions, are omitted. */
export function encode(value: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(marked(value) ?? null));
  if (body.length > MAX_FRAME_BYTES) throw new FrameError(`A frame has at most ${MAX_FRAME_BYTES} bytes.`);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}

/** Extracts frames from a stream of bytes, however it is chunked. */
export class FrameReader {
  private rest: Buffer = Buffer.alloc(0);

  /** @throws FrameError, after which the stream cannot be read any further */
  read(chunk: Buffer, most = MAX_FRAME_BYTES): unknown[] {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const frames: unknown[] = [];
    while (this.rest.length >= LENGTH_BYTES) {
      const length = this.rest.readUInt32BE();
      if (length > most) throw new FrameError(`A frame has at most ${most} bytes.`);
      const end = LENGTH_BYTES + length;
      if (this.rest.length < end) break;
      frames.push(decode(this.rest.subarray(LENGTH_BYTES, end)));
      this.rest = this.rest.subarray(end);
    }
    return frames;
  }
}

function decode(body: Buffer): unknown {
  try {
    return unmarked(JSON.parse(body.toString('utf8')));
  } catch {
    throw new FrameError('A frame is JSON.');
  }
}

function marked(value: unknown): unknown {
  if (value instanceof Uint8Array) return { [MARK]: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, own]) => [key.startsWith(MARK) ? MARK + key : key, marked(own)]),
  );
}

function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked);
  if (typeof value !== 'object' || value === null) return value;
  const bytes: unknown = Object.hasOwn(value, MARK) ? (value as Record<string, unknown>)[MARK] : undefined;
  if (typeof bytes === 'string') return Buffer.from(bytes, 'base64');
  return Object.fromEntries(
    Object.entries(value).map(([key, own]) => [key.startsWith(MARK) ? key.slice(MARK.length) : key, unmarked(own)]),
  );
}
