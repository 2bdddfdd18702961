import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { unauthorized } from '../../../common/errors/index.js';
import { wasOvertaken, type EnvironmentId } from '../../../database/index.js';
import { PasskeyChallengesRepository, type NewChallenge } from './passkey-challenges.repository.js';

/** How long a person has for a ceremony. */
export const CHALLENGE_SECONDS = 300;
const CHALLENGE_BYTES = 32;

/** What is stored of a challenge: the SHA-256 of its text, so that a copy of the table signs nobody in. */
export const challengeHash = (challenge: string): Buffer => createHash('sha256').update(challenge).digest();

/** Whoever is erased at this moment has no session any more. */
function asErased(error: unknown): never {
  throw wasOvertaken(error) ? unauthorized({ cause: error }) : error;
}

/** Makes the challenges of ceremonies: 256 random bits, each good once, for five minutes. */
@Injectable()
export class PasskeyChallenges {
  constructor(private readonly challenges: PasskeyChallengesRepository) {}

  /** @throws ApiError 401 when the user was erased meanwhile */
  async issue(environmentId: EnvironmentId, made: NewChallenge): Promise<string> {
    const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
    await this.challenges.store(environmentId, challengeHash(challenge), made, CHALLENGE_SECONDS).catch(asErased);
    return challenge;
  }
}
