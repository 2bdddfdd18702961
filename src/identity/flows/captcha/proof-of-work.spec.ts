import { describe, expect, it } from '@jest/globals';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { randomBytes } from 'node:crypto';
import type { EnvironmentId } from '../../../database/index.js';
import type { NonceStore } from '../../nonces/nonce-store.js';
import { ProofOfWork } from './proof-of-work.js';

const [HERE, THERE] = ['here', 'there'] as EnvironmentId[] as [EnvironmentId, EnvironmentId];

function works() {
  const live = new Set<string>();
  const nonces = {
    issue: async (environmentId: string) => {
      const nonce = randomBytes(16).toString('hex');
      live.add(`${environmentId} ${nonce}`);
      return nonce;
    },
    consume: async (environmentId: string, nonce: string) => live.delete(`${environmentId} ${nonce}`),
  };
  return new ProofOfWork(nonces as Partial<NonceStore> as NonceStore);
}

const tokenOf = (parameters: object, counter: unknown): string =>
  Buffer.from(JSON.stringify({ challenge: { parameters }, solution: { counter } })).toString('base64');

/** By the library that clients use. */
async function solved(work: ProofOfWork, environmentId = HERE) {
  const challenge = await work.challenge(environmentId);
  const solution = await solveChallenge({ challenge, deriveKey });
  return { challenge, counter: solution!.counter, token: tokenOf(challenge.parameters, solution!.counter) };
}

describe('a proof of work', () => {
  it('that the library of clients has done is good once', async () => {
    const work = works();
    const { token } = await solved(work);
    expect(await work.isDone(HERE, token)).toBe(true);
    expect(await work.isDone(HERE, token)).toBe(false);
  });

  it('is none of another environment', async () => {
    const work = works();
    expect(await work.isDone(THERE, (await solved(work)).token)).toBe(false);
  });

  it('may not make itself easier', async () => {
    const work = works();
    const { parameters } = await work.challenge(HERE);
    const easier = { ...parameters, cost: 1, keyPrefix: '0' };
    const solution = await solveChallenge({ challenge: { parameters: easier }, deriveKey });
    const { counter } = solution!;
    // One in 256 such answers is right by chance, and is then what was asked for.
    const token = tokenOf(easier, counter);
    const asked = await deriveKey(
      parameters,
      Buffer.from(parameters.salt, 'hex'),
      Buffer.concat([Buffer.from(parameters.nonce, 'hex'), Buffer.from(counter.toString(16).padStart(8, '0'), 'hex')]),
    );
    expect(await work.isDone(HERE, token)).toBe(asked.derivedKey[0] === 0);
  });

  it('of a nonce that was never issued is none', async () => {
    const work = works();
    const { challenge, counter } = await solved(work);
    const other = { ...challenge.parameters, nonce: randomBytes(16).toString('hex') };
    expect(await work.isDone(HERE, tokenOf(other, counter))).toBe(false);
  });

  it.each([
    ['nothing', ''],
    ['no base64', '???'],
    ['no JSON', Buffer.from('{').toString('base64')],
    ['null', Buffer.from('null').toString('base64')],
    ['a counter that is a text', tokenOf({ nonce: '0'.repeat(32) }, '1')],
    ['a negative counter', tokenOf({ nonce: '0'.repeat(32) }, -1)],
    ['a nonce that is an object', tokenOf({ nonce: {} }, 1)],
    ['more than a solution', 'A'.repeat(4_096)],
  ])('is not %s', async (_, token) => {
    expect(await works().isDone(HERE, token)).toBe(false);
  });
});
