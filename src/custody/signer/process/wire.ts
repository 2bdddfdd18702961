/** The mark of bytes. A key of an object that begins like it gets one more, so that no text passes for bytes. */
const MARK = '$';

/** The longest frame. Requests of clients are limited to far less. */
export const MAX_FRAME_BYTES = 8 * 1024 * 1024;
const LENGTH_BYTES = 4;

/** A frame that is none: what sent it does not speak this protocol. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

/** JSON in which bytes are marked. What has no place in JSON, such as functions, is left out. */
export function encode(value: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(marked(value) ?? null));
  if (body.length > MAX_FRAME_BYTES) throw new FrameError(`A frame has at most ${MAX_FRAME_BYTES} bytes.`);
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}

/** Takes frames out of a stream of bytes, however it was cut. */
export class FrameReader {
  private rest: Buffer = Buffer.alloc(0);

  /** @throws FrameError, after which nothing more of the stream can be read */
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
