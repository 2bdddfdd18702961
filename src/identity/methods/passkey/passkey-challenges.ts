import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { unauthorized } from '../../../common/errors/index.js';
import { wasOvertaken, type EnvironmentId } from '../../../database/index.js';
import { PasskeyChallengesRepository, type NewChallenge } from './passkey-challenges.repository.js';

/** Time limit for a ceremony. */
export const CHALLENGE_SECONDS = 300;
const CHALLENGE_BYTES = 32;

/** The stored form of a challenge: SHA-256 of its text, so that a leaked table cannot be used to sign in. */
export const challengeHash = (challenge: string): Buffer => createHash('sha256').update(challenge).digest();

/** A user being erased at this moment no longer has a session. */
function asErased(error: unknown): never {
  throw wasOvertaken(error) ? unauthorized({ cause: error }) : error;
}

/** Issues challenges for ceremonies: 256 random bits, single-use, valid for five minutes. */
@Injectable()
export class PasskeyChallenges {
  constructor(private readonly challenges: PasskeyChallengesRepository) {}

  /** @throws ApiError 401 if the user was erased in the meantime */
  async issue(environmentId: EnvironmentId, made: NewChallenge): Promise<string> {
    const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
    await this.challenges.store(environmentId, challengeHash(challenge), made, CHALLENGE_SECONDS).catch(asErased);
    return challenge;
  }
}
