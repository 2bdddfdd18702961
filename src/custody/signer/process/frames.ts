import type { Duplex } from 'node:stream';
import { gatherWrites } from './gathered-writes.js';
import { encode, FrameError, FrameReader, MAX_FRAME_BYTES } from './wire.js';

/** Sent by a signer once it accepts requests. No request is sent before. */
export const READY = 'ready';
/** Sent by a signer that is about to stop: it answers what it was asked, and nothing new should be asked of it. */
export const LEAVING = 'leaving';

/** Leaves in one write with all other frames of the same turn. */
export function writeFrame(stream: Duplex, frame: Buffer): void {
  gatherWrites(stream);
  stream.write(frame);
}

/** Reads single frames, before requests begin: each side waits for the other, so no bytes are left over. */
export class Frames {
  private readonly reader = new FrameReader();
  private readonly came: unknown[] = [];
  private failure: Error | null = null;
  private wake = Promise.withResolvers<void>();

  constructor(
    private readonly stream: Duplex,
    private readonly most = MAX_FRAME_BYTES,
  ) {
    stream.on('data', this.read).on('error', this.fail).on('close', this.end);
  }

  send(frame: unknown): void {
    this.stream.write(encode(frame));
  }

  /** @throws FrameError if the other side closes the stream or sends an invalid frame */
  async next(): Promise<unknown> {
    while (this.came.length === 0) {
      if (this.failure) throw this.failure;
      await this.wake.promise;
      this.wake = Promise.withResolvers();
    }
    return this.came.shift();
  }

  /** Releases the stream for other readers. */
  stop(): void {
    this.stream.pause();
    this.stream.off('data', this.read).off('error', this.fail).off('close', this.end);
  }

  private readonly read = (chunk: Buffer): void => {
    try {
      this.came.push(...this.reader.read(chunk, this.most));
      this.wake.resolve();
    } catch (error) {
      this.fail(error as Error);
    }
  };

  private readonly fail = (error: Error): void => {
    this.failure ??= error;
    this.wake.resolve();
  };

  private readonly end = (): void => this.fail(new FrameError('The other side went away.'));
}
