import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { ClientOrigin, DashboardPrincipal, EndUserPrincipal } from '../../auth/index.js';
import { keyActorOf, KeyLedger } from '../../custody/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { ChangeLog } from '../../organizations/index.js';
import { KeyNotices } from '../notices/key-notices.js';
import type { HeldWallet } from '../signing/held-wallets.repository.js';
import type { DelegatedShareDeliveryRequestEncryptedDelegatedShare } from './delegated-access.dto.js';
import { DELEGATION_CREATED, DELEGATION_USED, WALLET_SETTINGS_UPDATED } from './delegated-access.events.js';
import type { NewDelegation } from './wallet-delegations.repository.js';

/** Who acts, and with what. */
export interface Actor {
  readonly caller: EndUserPrincipal;
  readonly client: ClientOrigin;
}

interface Given {
  readonly caller: EndUserPrincipal;
  readonly wallet: HeldWallet;
  readonly given: Omit<NewDelegation, 'credentialHash'>;
  readonly sealed: DelegatedShareDeliveryRequestEncryptedDelegatedShare;
}

interface Used {
  readonly roomId: string;
  readonly walletId: string;
  readonly userId: string;
  readonly kind: string;
  readonly digest: string;
}

interface Refusal {
  readonly caller: EndUserPrincipal;
  readonly walletId: string;
  readonly isDenied: boolean;
}

/** Records changes of access to wallets in the key ledger, and tells the team and the user. */
@Injectable()
export class DelegationRecords {
  constructor(
    private readonly ledger: KeyLedger,
    private readonly changes: ChangeLog,
    private readonly notices: KeyNotices,
  ) {}

  async given(environmentId: EnvironmentId, { caller, wallet, given, sealed }: Given, tx: Transaction): Promise<void> {
    const { walletId, chain, address, keysId } = wallet;
    const { userId, expiresAt, access } = given;
    const subject = { walletId, chain, address, access, expiresAt: expiresAt.toISOString() };
    const digest = createHash('sha256').update(sealed.ct).digest();
    const about = { actor: keyActorOf(caller), userId, keysId, subject, reason: 'access is given', digest };
    this.ledger.record(environmentId, { operation: 'delegate', ...about, verdict: 'allowed' }, tx);
    const grant = Object.fromEntries(Object.entries(access).filter(([, value]) => value !== null));
    const data = {
      ...{ walletId, userId, deliveryId: given.id, chain, publicKey: address },
      ...{ encryptedDelegatedShare: sealed, grant, expiresAt },
    };
    const drafts = [{ event: DELEGATION_CREATED, resourceId: walletId, data }];
    await this.changes.tell(environmentId, { type: 'wallet', actor: caller, drafts }, tx);
  }

  async refusal(environmentId: EnvironmentId, { caller, walletId, isDenied }: Refusal, tx: Transaction): Promise<void> {
    const { userId } = caller;
    const data = { walletId, userId, hasDeniedDelegatedAccess: isDenied };
    const drafts = [{ event: WALLET_SETTINGS_UPDATED, resourceId: walletId, data }];
    await this.changes.tell(environmentId, { type: 'wallet', actor: caller, drafts }, tx);
  }

  /** Mails the user after the commit: somebody else may be using the account. */
  tellUser(
    environmentId: EnvironmentId,
    { caller, client }: Actor,
    happened: Parameters<KeyNotices['tell']>[2],
  ): Promise<void> {
    return this.notices.tell(environmentId, caller.userId, happened, client);
  }

  used(environmentId: EnvironmentId, caller: DashboardPrincipal, used: Used, tx: Transaction): Promise<void> {
    const drafts = [{ event: DELEGATION_USED, resourceId: used.walletId, data: used }];
    return this.changes.tell(environmentId, { type: 'wallet', actor: caller, drafts, routine: true }, tx);
  }
}
