import { Injectable } from '@nestjs/common';
import type { EndUserPrincipal } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { invalidFields } from '../../common/http/validation.pipe.js';
import { UnitOfWork, type EnvironmentId } from '../../database/index.js';
import { tooManySessionKeys } from '../record/wallet.errors.js';
import { WalletsRepository } from '../record/wallets.repository.js';
import type { RegisterEmbeddedWalletSessionKeyResponse, RegisterSessionKeyRequest } from './key-request.dto.js';
import { sessionKeyOf } from './request-stamp.js';
import { SignedRequestsRepository } from './signed-requests.repository.js';

export const SESSION_KEY_SECONDS = 900;

/** Keys that stamp the requests of a session. The client makes them and sends only the public key. */
@Injectable()
export class SessionKeys {
  constructor(
    private readonly requests: SignedRequestsRepository,
    private readonly wallets: WalletsRepository,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Registering a key again extends its lifetime.
   *
   * @throws ApiError validation_failed, too_many_session_keys
   */
  async register(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { publicKey: text, prevSessionKeySignature, walletId }: RegisterSessionKeyRequest,
  ): Promise<RegisterEmbeddedWalletSessionKeyResponse> {
    if (prevSessionKeySignature !== undefined) throw refused('prevSessionKeySignature', 'is not used here');
    if (walletId !== undefined) throw refused('walletId', 'is not used here');
    const publicKey = sessionKeyOf(text);
    if (!publicKey) throw refused('publicKey', 'must be a compressed P-256 public key in hexadecimal');
    const key = { publicKey, ttlSeconds: SESSION_KEY_SECONDS, isMailed: false };
    const expiresAt = await this.work.run(async (tx) => {
      // Serialised per user, so that the count is never too low.
      if (!(await this.wallets.lockUser(environmentId, caller.userId, tx))) throw notFound();
      return this.requests.register(environmentId, caller, key, tx);
    });
    if (expiresAt === null) throw tooManySessionKeys();
    return { publicKey, expiresAt };
  }
}

const refused = (field: string, message: string): Error => invalidFields([{ field, message: `${field} ${message}` }]);
