import { Injectable } from '@nestjs/common';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { KeyLedger, keyActorOf, protocolOf, type KeyUse, type WalletOfShares } from '../../custody/index.js';
import { Outbox, UnitOfWork } from '../../database/index.js';
import { KeyNotices } from '../../wallets/index.js';
import { tooManySecretReads } from './wallet-secret.errors.js';
import { secretReleasedEvent } from './wallet-secret.events.js';
import type { WalletSecretKind } from './wallet-secret.entity.js';

/** The user who asks for a secret, and their client. */
export interface SecretReader {
  readonly caller: EndUserPrincipal;
  readonly client: ClientOrigin;
}

/** Records secrets before they leave the service, and tells their users. */
@Injectable()
export class SecretReleases {
  constructor(
    private readonly ledger: KeyLedger,
    private readonly outbox: Outbox,
    private readonly notices: KeyNotices,
    private readonly work: UnitOfWork,
  ) {}

  async released(wallet: WalletOfShares, { caller }: SecretReader, kind: WalletSecretKind): Promise<void> {
    const { environmentId, userId, walletId, chain } = wallet;
    await this.work.run(async (tx) => {
      this.ledger.record(environmentId, useOf(wallet, caller, { kind, verdict: 'allowed' }), tx);
      await this.outbox.append(environmentId, [secretReleasedEvent({ id: walletId, userId, chain, kind })], tx);
    });
  }

  /** Mails the user, after the release is recorded. */
  async tell({ environmentId, userId, address }: WalletOfShares, { client }: SecretReader): Promise<void> {
    await this.notices.tell(environmentId, userId, { change: 'secretAsked', address }, client);
  }

  async refused(wallet: WalletOfShares, { caller }: SecretReader, kind: WalletSecretKind): Promise<void> {
    const verdict = tooManySecretReads().code;
    await this.ledger.recordAlone(wallet.environmentId, useOf(wallet, caller, { kind, verdict }));
  }
}

function useOf(
  wallet: WalletOfShares,
  caller: EndUserPrincipal,
  { kind, verdict }: { kind: WalletSecretKind; verdict: string },
): KeyUse {
  const { userId, walletId, keysId, chain, address } = wallet;
  const subject = { walletId, chain, address, protocol: protocolOf(wallet) };
  return {
    operation: 'recover',
    actor: keyActorOf(caller),
    userId,
    keysId,
    subject,
    reason: kind,
    digest: null,
    verdict,
  };
}
