import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { once } from 'node:events';
import { createGunzip, createGzip, type Gzip } from 'node:zlib';
import { MovingRefusedError } from './moving-refused.error.js';
import { parseTarHeader, TAR_BLOCK, tarHeader, tarPadding, type TarHeader } from './tar.js';

/** The largest member accepted: members are batches of rows. */
const MAX_MEMBER_BYTES = 256 * 1024 * 1024;

/** The manifest entry of a member. */
export interface MemberDigest {
  readonly name: string;
  readonly sha256: string;
}

export const sha256Hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Writes a gzipped tar archive member by member, with only one in memory. */
export class ArchiveWriter {
  readonly members: MemberDigest[] = [];
  private readonly gzip: Gzip = createGzip({ level: 6 });
  private readonly file: WriteStream;
  private failure: Error | null = null;

  /** @param path of a new file, readable only by its owner and synced to disk at the end */
  constructor(path: string) {
    this.file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
    const fail = (error: Error): void => {
      this.failure ??= error;
      this.gzip.destroy(error);
    };
    this.file.on('error', fail);
    this.gzip.on('error', fail);
    this.gzip.pipe(this.file);
  }

  async add(name: string, text: string): Promise<MemberDigest> {
    const bytes = Buffer.from(text);
    const member = { name, sha256: sha256Hex(bytes) };
    for (const part of [tarHeader({ name, size: bytes.length }), bytes, tarPadding(bytes.length)])
      await this.write(part);
    this.members.push(member);
    return member;
  }

  /** Two blocks of zeros, and everything on disk. */
  async end(): Promise<void> {
    await this.write(Buffer.alloc(2 * TAR_BLOCK));
    this.gzip.end();
    await finished(this.file);
  }

  /** Closes the incomplete file. */
  destroy(): void {
    this.gzip.destroy();
    this.file.destroy();
  }

  private async write(bytes: Buffer): Promise<void> {
    if (this.failure) throw this.failure;
    if (!this.gzip.write(bytes)) await once(this.gzip, 'drain');
  }
}

export interface ArchiveMember {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Reads the members of an archive one by one. @throws MovingRefusedError if it is invalid or truncated */
export async function* readArchive(path: string): AsyncGenerator<ArchiveMember> {
  const file = createReadStream(path);
  const unzipped = createGunzip();
  file.on('error', (error) => unzipped.destroy(error));
  const source = new Bytes(file.pipe(unzipped));
  try {
    for (let header = parsed(await source.take(TAR_BLOCK)); header; header = parsed(await source.take(TAR_BLOCK))) {
      if (header.size > MAX_MEMBER_BYTES) throw new Error('a member is too large');
      const bytes = await source.take(header.size);
      await source.take(tarPadding(header.size).length);
      yield { name: header.name, bytes };
    }
    await source.drain();
  } catch (error) {
    if (error instanceof MovingRefusedError) throw error;
    throw new MovingRefusedError(`${path} is no archive that can be read: ${(error as Error).message}.`);
  } finally {
    file.destroy();
    unzipped.destroy();
  }
}

const parsed = (block: Buffer): TarHeader | null => parseTarHeader(block);

/** Takes exact lengths from a stream. */
class Bytes {
  private readonly chunks: AsyncIterator<Buffer, undefined>;
  private parts: Buffer[] = [];
  private length = 0;

  constructor(stream: AsyncIterable<Buffer, undefined>) {
    this.chunks = stream[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Buffer> {
    while (this.length < length) {
      const next = await this.chunks.next();
      if (next.done) throw new Error('it is cut off');
      this.parts.push(next.value);
      this.length += next.value.length;
    }
    const all = this.parts.length === 1 ? this.parts[0]! : Buffer.concat(this.parts);
    this.parts = [all.subarray(length)];
    this.length -= length;
    return all.subarray(0, length);
  }

  /** Reads to the end, so that gzip verifies its checksum. */
  async drain(): Promise<void> {
    while (!(await this.chunks.next()).done);
  }
}
