import { Injectable } from '@nestjs/common';
import { RecentProofs, type ClientOrigin, type EndUserPrincipal } from '../../auth/index.js';
import { keyActorOf } from '../../custody/index.js';
import type { EnvironmentId } from '../../database/index.js';
import {
  AdmittedChanges,
  invalidSessionPublicKey,
  SessionAnswer,
  UserReader,
  type FullUser,
  type SignedIn,
} from '../../identity/index.js';
import type { UpgradeEmbeddedWalletToV2Request } from './upgrade.dto.js';
import { UpgradeDealing } from './upgrade-dealing.js';

const SCOPE = 'wallet:restore';

/** Upgrades requested by users. The wallets are upgraded once their devices have refreshed the shares. */
@Injectable()
export class UpgradesService {
  constructor(
    private readonly dealing: UpgradeDealing,
    private readonly proofs: RecentProofs,
    private readonly users: UserReader,
    private readonly answer: SessionAnswer,
    private readonly changes: AdmittedChanges,
  ) {}

  /**
   * Idempotent: asking again gives the same answer.
   *
   * @throws ApiError invalid_session_public_key, fresh_proof_required, no_v1_embedded_wallet_found, seed_still_needed
   */
  async begin(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { sessionPublicKey }: UpgradeEmbeddedWalletToV2Request,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    if (sessionPublicKey !== undefined) {
      const hint = 'Send sessionPublicKey with the sign-in, and leave it out here.';
      throw invalidSessionPublicKey({ message: 'A session is given its public key when it begins.', hint });
    }
    await this.proofs.assertRecent(environmentId, caller, SCOPE, caller.elevatedToken ?? null);
    const { userId } = caller;
    const dealt = await this.dealing.deal(environmentId, userId);
    const { user } = await this.changes.run(environmentId, client, async (tx) => {
      await this.dealing.write(environmentId, userId, dealt, keyActorOf(caller), tx);
      return { user: await this.users.getFull(environmentId, userId, tx) };
    });
    return this.answer.renew(environmentId, caller, user, client);
  }
}
