import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../src/auth/index.js';
import { newId } from '../../src/common/ids.js';
import type { EnvironmentId } from '../../src/database/index.js';
import { SignInFlow, type FullUser, type SignedIn } from '../../src/identity/index.js';
import type { OneTimeLink, OneTimeLinkSignInRequest } from './one-time-link.dto.js';
import { OneTimeLinkMethod, secretHash } from './one-time-link.method.js';
import { OneTimeLinksRepository } from './one-time-links.repository.js';

const TTL_SECONDS = 3_600;

/** Creates links, and signs in the person who opens one. */
@Injectable()
export class OneTimeLinksService {
  constructor(
    private readonly links: OneTimeLinksRepository,
    private readonly method: OneTimeLinkMethod,
    private readonly signIns: SignInFlow,
  ) {}

  async create(environmentId: EnvironmentId, person: string): Promise<OneTimeLink> {
    const secret = randomBytes(32).toString('base64url');
    const link = { id: newId(), secretHash: secretHash(secret), person, ttlSeconds: TTL_SECONDS };
    return { person, secret, expiresAt: await this.links.insert(environmentId, link) };
  }

  signIn(
    environmentId: EnvironmentId,
    { secret, captchaToken, sessionPublicKey }: OneTimeLinkSignInRequest,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    return this.signIns.complete(environmentId, this.method, { secret }, { client, captchaToken, sessionPublicKey });
  }
}
