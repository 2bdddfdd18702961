import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { Config } from '../../config/index.js';
import { UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { CustodianRegistry, type VersionedWallet } from '../custodian-registry.js';
import type { SealedKey } from '../custodian.js';
import { KeyLedger } from '../ledger/key-ledger.js';
import { verdictOn, type KeyUse } from '../ledger/ledger-entry.js';
import type { SigningTerms, SigningWallet } from '../signing/key-signing.js';
import { SigningPolicies, type ExportQuestion } from '../signing/signing-policies.js';
import type { HpkeMessage, Recipient } from '../../vault/index.js';

/** Per user, across all of their wallets. */
export const EXPORTS = { name: 'wallet-exports', limit: 3, windowSeconds: 3_600 } as const;

/** The part of the ledger record that does not depend on the outcome of an export. */
export type ExportUse = Omit<KeyUse, 'operation' | 'digest' | 'verdict'>;

interface ExportTerms extends Required<SigningTerms> {
  readonly reason: string;
  /** Announces the export, in the same transaction as the ledger row. */
  readonly tell: (tx: Transaction) => Promise<void>;
}

/**
 * The only way out for a private key: sealed to its user, recorded in the ledger, and only then returned. Refusals are
 * recorded as well.
 */
@Injectable()
export class KeyExport {
  constructor(
    private readonly custodians: CustodianRegistry,
    private readonly ledger: KeyLedger,
    private readonly limiter: RateLimiter,
    private readonly work: UnitOfWork,
    private readonly policies: SigningPolicies,
    private readonly config: Config,
  ) {}

  /** Hours between the request and the earliest retrieval; 0 for immediately. */
  get delayHours(): number {
    return this.config.get('KEY_EXPORT_DELAY_HOURS');
  }

  /** For checks before the key leaves. @throws ApiError the refusal of a policy, which is recorded */
  async assertAllowed(question: ExportQuestion, use: ExportUse): Promise<void> {
    try {
      await this.policies.authorizeExport(question);
    } catch (error) {
      await this.recordRefusal(question.environmentId, { ...use, digest: null }, error);
      throw error;
    }
  }

  /** Rate-limits `open`. @throws ApiError too_many_requests, not_supported_by_custodian, and what `open` throws */
  counted<T>(
    environmentId: EnvironmentId,
    userId: string,
    wallet: VersionedWallet,
    open: () => Promise<T>,
  ): Promise<T> {
    this.custodians.getFor(wallet, 'export');
    return this.limiter.within(EXPORTS, `${environmentId}:${userId}`, open);
  }

  /**
   * An export lost with its signer is recorded too: it may have been made, although nobody received it.
   *
   * @throws ApiError the refusal of a policy, not_found if the wallet was removed meanwhile: nothing is returned then
   */
  async export(wallet: SigningWallet, recipient: Recipient, terms: ExportTerms): Promise<HpkeMessage> {
    const { environmentId, userId, keysId, walletId, chain, address } = wallet;
    const about = { userId, keysId, subject: { walletId, chain, address }, actor: terms.actor, reason: terms.reason };
    let digest: Buffer | null = null;
    let isAsked = false;
    try {
      await this.policies.authorizeExport(wallet);
      const custodian = this.custodians.getFor(wallet, 'export');
      let message: SealedKey;
      let isRecorded: boolean;
      // Seals again if the key was reshared meanwhile: the outdated one would be useless.
      do {
        isAsked = true;
        message = await custodian.export(wallet, recipient);
        const made = message;
        const sealed = createHash('sha256').update(made.enc).update(made.ciphertext).digest();
        isAsked = false;
        digest = sealed;
        isRecorded = await this.work.run(async (tx) => {
          if (!(await terms.stillThere(tx, sealed))) throw notFound();
          if (made.isCurrent && !(await made.isCurrent(tx))) return false;
          this.ledger.record(environmentId, { operation: 'export', ...about, digest: sealed, verdict: 'allowed' }, tx);
          await terms.tell(tx);
          return true;
        });
      } while (!isRecorded);
      return message;
    } catch (error) {
      await this.recordRefusal(environmentId, { ...about, digest }, error, isAsked);
      throw error;
    }
  }

  private async recordRefusal(
    environmentId: EnvironmentId,
    use: ExportUse & Pick<KeyUse, 'digest'>,
    error: unknown,
    isHolderAsked = false,
  ): Promise<void> {
    const verdict = verdictOn(error, isHolderAsked);
    if (verdict !== null) await this.ledger.recordAlone(environmentId, { operation: 'export', ...use, verdict });
  }
}
