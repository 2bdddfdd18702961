import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../../database/index.js';
import { NonceStore } from '../../nonces/nonce-store.js';
import type { CaptchaChallengeParameters } from './captcha.dto.js';

/** An average of 256 key derivations, each taking a current device a few milliseconds. */
const WORK = { algorithm: 'PBKDF2/SHA-256', cost: 5_000, keyLength: 32, keyPrefix: '00' } as const;
const MAX_TOKEN = 2_048;
const MAX_COUNTER = 0xffff_ffff;
const COUNTER_BYTES = 4;

/**
 * A captcha without a vendor: the client searches for a counter whose derived key has the required prefix, in the
 * ALTCHA format. The nonce is issued here and single-use; the rest of the challenge follows from it, so nothing a
 * client sends back about the challenge is trusted.
 */
@Injectable()
export class ProofOfWork {
  constructor(private readonly nonces: NonceStore) {}

  async challenge(environmentId: EnvironmentId): Promise<{ parameters: CaptchaChallengeParameters }> {
    const nonce = await this.nonces.issue(environmentId);
    return { parameters: parametersOf(environmentId, nonce) };
  }

  /** Consumes the nonce whatever the answer: only the first attempt counts. */
  async isDone(environmentId: EnvironmentId, token: string): Promise<boolean> {
    const solution = readSolution(token);
    if (!solution || !(await this.nonces.consume(environmentId, solution.nonce))) return false;
    const { nonce, counter } = solution;
    const parameters = parametersOf(environmentId, nonce);
    const password = Buffer.concat([Buffer.from(nonce, 'hex'), Buffer.alloc(COUNTER_BYTES)]);
    password.writeUInt32BE(counter, password.length - COUNTER_BYTES);
    const { derivedKey } = await deriveKey(parameters, Buffer.from(parameters.salt, 'hex'), password);
    return Buffer.from(derivedKey).toString('hex').startsWith(parameters.keyPrefix);
  }
}

/** The salt is bound to the environment, so that work done for one does not count in another. */
const parametersOf = (environmentId: EnvironmentId, nonce: string): CaptchaChallengeParameters => ({
  ...WORK,
  nonce,
  salt: createHash('sha256').update(`captcha ${environmentId} ${nonce}`).digest('hex').slice(0, 32),
});

/** Parses the base64-encoded JSON of the widget; null for anything else. */
function readSolution(token: string): { nonce: string; counter: number } | null {
  if (token.length > MAX_TOKEN) return null;
  try {
    const sent = JSON.parse(Buffer.from(token, 'base64').toString('utf8')) as Sent;
    const nonce = sent?.challenge?.parameters?.nonce;
    const counter = sent?.solution?.counter;
    if (typeof nonce !== 'string' || !/^[0-9a-f]{32}$/.test(nonce)) return null;
    if (typeof counter !== 'number' || !Number.isInteger(counter) || counter < 0 || counter > MAX_COUNTER) return null;
    return { nonce, counter };
  } catch {
    return null;
  }
}

type Sent = { challenge?: { parameters?: { nonce?: unknown } }; solution?: { counter?: unknown } } | null;
