import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Envelope, generateMasterKey, parseKeyRing, type SealContext } from '../vault/index.js';
import { AnswerSeal, type AnswerHolder } from './answer-seal.js';

const newHolder = (): AnswerHolder => ({ environmentId: randomUUID(), id: randomUUID() });

/** Whether an answer that was sealed for one row can be read in another one. */
async function opensElsewhere(seal: AnswerSeal, holder: AnswerHolder, other: AnswerHolder): Promise<boolean> {
  const { sealedBody } = (await seal.prepare(holder)).seal(201, '{"token":"secret"}');
  expect(await seal.open(sealedBody, holder)).toBe('{"token":"secret"}');
  return seal.open(sealedBody, other).then(
    () => true,
    () => false,
  );
}

describe('a stored answer', () => {
  const envelope = new Envelope(parseKeyRing(generateMasterKey()));
  const seal = new AnswerSeal(envelope);

  it.each<[string, (holder: AnswerHolder) => AnswerHolder]>([
    ['another key of the same environment', ({ environmentId }) => ({ environmentId, id: randomUUID() })],
    ['the same key in another environment', ({ id }) => ({ environmentId: randomUUID(), id })],
  ])('cannot be read in the row of %s', async (_, otherOf) => {
    const holder = newHolder();
    expect(await opensElsewhere(seal, holder, otherOf(holder))).toBe(false);
  });

  it('stays bound to its row when it is sealed under another key of the vault', async () => {
    const holder = newHolder();
    const [old, fresh] = [generateMasterKey(), generateMasterKey()];
    const before = new AnswerSeal(new Envelope(parseKeyRing(old)));
    const { sealedBody } = (await before.prepare(holder)).seal(201, '{}');
    const rotating = new AnswerSeal(new Envelope(parseKeyRing(`${fresh},${old}`)));
    await expect(rotating.rewrap(sealedBody, newHolder())).rejects.toThrow();
    const rewrapped = await rotating.rewrap(sealedBody, holder);
    expect(rewrapped.sealedBody.equals(sealedBody)).toBe(false);
    await expect(rotating.open(rewrapped.sealedBody, newHolder())).rejects.toThrow();
    expect(await rotating.open(rewrapped.sealedBody, holder)).toBe('{}');
  });

  it('would be read anywhere, if its seal named no row', async () => {
    /** Every row is one and the same to it. */
    class Careless extends Envelope {
      override prepare(context: SealContext) {
        return super.prepare({ ...context, environmentId: 'any', subjectId: 'any' });
      }
      override open(sealed: Buffer, context: SealContext) {
        return super.open(sealed, { ...context, environmentId: 'any', subjectId: 'any' });
      }
    }
    const careless = new AnswerSeal(new Careless(parseKeyRing(generateMasterKey())));
    expect(await opensElsewhere(careless, newHolder(), newHolder())).toBe(true);
  });
});
