import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../auth/index.js';
import { notFound } from '../../common/errors/index.js';
import { Config } from '../../config/index.js';
import { UnitOfWork, type EnvironmentId, type Transaction } from '../../database/index.js';
import { CustodianRegistry } from '../custodian-registry.js';
import type { CustodyVersion, SealedKey } from '../custodian.js';
import { KeyLedger } from '../ledger/key-ledger.js';
import { verdictOn, type KeyUse } from '../ledger/ledger-entry.js';
import type { SigningTerms, SigningWallet } from '../signing/key-signing.js';
import { SigningPolicies, type ExportQuestion } from '../signing/signing-policies.js';
import type { HpkeMessage, Recipient } from '../../vault/index.js';

/** Per user, on all of their wallets together. */
export const EXPORTS = { name: 'wallet-exports', limit: 3, windowSeconds: 3_600 } as const;

/** Of an export, what the ledger keeps whatever becomes of it. */
export type ExportUse = Omit<KeyUse, 'operation' | 'digest' | 'verdict'>;

interface ExportTerms extends Required<SigningTerms> {
  readonly reason: string;
  /** Tells others that the key leaves, with the row of the ledger or not at all. */
  readonly tell: (tx: Transaction) => Promise<void>;
}

/**
 * The one way for a private key to leave: sealed to its user, written into the ledger, and only then handed out. A refusal
 * is written as well.
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

  /** Hours before what was asked for can be fetched; 0 for at once. */
  get delayHours(): number {
    return this.config.get('KEY_EXPORT_DELAY_HOURS');
  }

  /** For whoever asks before the key is to leave. @throws ApiError the refusal of a policy, which is written down */
  async assertAllowed(question: ExportQuestion, use: ExportUse): Promise<void> {
    try {
      await this.policies.authorizeExport(question);
    } catch (error) {
      await this.recordRefusal(question.environmentId, { ...use, digest: null }, error);
      throw error;
    }
  }

  /** Counts what is opened. @throws ApiError too_many_requests, not_supported_by_custodian, and what `open` throws */
  counted<T>(
    environmentId: EnvironmentId,
    userId: string,
    version: CustodyVersion,
    open: () => Promise<T>,
  ): Promise<T> {
    this.custodians.get(version, 'export');
    return this.limiter.within(EXPORTS, `${environmentId}:${userId}`, open);
  }

  /**
   * What is lost with its signer is a row as well: it may have been made, and nobody got it.
   *
   * @throws ApiError the refusal of a policy, not_found when the wallet went away meanwhile: then nothing is handed out
   */
  async export(wallet: SigningWallet, recipient: Recipient, terms: ExportTerms): Promise<HpkeMessage> {
    const { environmentId, userId, keysId, walletId, chain, address } = wallet;
    const about = { userId, keysId, subject: { walletId, chain, address }, actor: terms.actor, reason: terms.reason };
    let digest: Buffer | null = null;
    let isAsked = false;
    try {
      await this.policies.authorizeExport(wallet);
      const custodian = this.custodians.get(wallet.version, 'export');
      let message: SealedKey;
      let isRecorded: boolean;
      // What was made anew meanwhile is sealed again: nobody gets what is of no use any more.
      do {
        isAsked = true;
        message = await custodian.export(wallet, recipient);
        isAsked = false;
        const made = message;
        const sealed = createHash('sha256').update(made.enc).update(made.ciphertext).digest();
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
