import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { Frames, READY } from './frames.js';
import { FrameError } from './wire.js';

const CHALLENGE_BYTES = 32;
/** More than a challenge or its answer needs: strangers cannot make us read more. */
const MOST_BYTES = 512;
const LIMIT_MS = 5_000;

type Side = 'instance' | 'signer';

interface Hello {
  readonly challenge?: unknown;
  readonly answer?: unknown;
}

const answerTo = (secret: string, side: Side, challenge: Buffer): Buffer =>
  createHmac('sha256', secret).update(`gatehouse/signer/v1/${side}\n`).update(challenge).digest();

const isBytes = (value: unknown): value is Buffer => Buffer.isBuffer(value) && value.length === CHALLENGE_BYTES;

/**
 * Both sides prove that they know the secret, which is never sent: each answers a random challenge from the other.
 *
 * @throws FrameError if the other side fails to, or takes too long; the stream is destroyed
 */
export async function shakeHands(stream: Duplex, secret: string, side: Side): Promise<void> {
  const other: Side = side === 'signer' ? 'instance' : 'signer';
  const challenge = randomBytes(CHALLENGE_BYTES);
  const timer = setTimeout(() => stream.destroy(), LIMIT_MS);
  const frames = new Frames(stream, MOST_BYTES);
  try {
    frames.send({ challenge });
    const theirs = (await frames.next()) as Hello | null;
    if (!isBytes(theirs?.challenge)) throw new FrameError('The other side does not speak this protocol.');
    frames.send({ answer: answerTo(secret, side, theirs.challenge) });
    const shown = (await frames.next()) as Hello | null;
    if (!isBytes(shown?.answer) || !timingSafeEqual(shown.answer, answerTo(secret, other, challenge))) {
      throw new FrameError('The other side does not know SIGNER_SECRET.');
    }
    if (side === 'signer') frames.send(READY);
    else if ((await frames.next()) !== READY) throw new FrameError('The signer refuses this side.');
  } catch (error) {
    stream.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    frames.stop();
  }
}
