import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiter } from '../../auth/index.js';
import { ApiError, notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import type { EnvironmentId } from '../../database/index.js';
import { CustodianRegistry } from '../custodian-registry.js';
import type { ImportedKeys } from '../custodian.js';
import { importRefused } from '../custody.errors.js';
import type { EmbeddedChain } from '../embedded-chain.js';
import { KeyLedger } from '../ledger/key-ledger.js';
import type { KeyActor, KeyUse } from '../ledger/ledger-entry.js';
import type { HpkeKem, HpkeMessage } from '../../vault/index.js';
import { KeyRefused } from '../signer/wallet-signer.js';
import { KeyImportsRepository, type ImportClaim } from './key-imports.repository.js';

/** Per user. */
export const IMPORTS = { name: 'wallet-imports', limit: 3, windowSeconds: 3_600 } as const;

/** Imported keys are held by the service, whatever the version of new wallets. */
const VERSION = 'V1';

/** Who begins or completes an import. */
export type Importer = Pick<ImportClaim, 'userId' | 'sessionId'>;

/** A key as the user sends it. */
export interface SentKey extends HpkeMessage {
  readonly address: string;
}

/** Which import a key came by, its new owner, and who sent it. */
export interface ImportedFor {
  readonly userId: string;
  readonly importId: string;
  readonly actor: KeyActor;
}

/**
 * The only way in for a private key: a single-use public key that expires after five minutes, then the key, which must
 * match the address. Refused keys are recorded in the ledger, accepted ones together with their wallet.
 */
@Injectable()
export class KeyImport {
  constructor(
    private readonly custodians: CustodianRegistry,
    private readonly imports: KeyImportsRepository,
    private readonly ledger: KeyLedger,
    private readonly limiter: RateLimiter,
  ) {}

  /** @throws ApiError too_many_requests, not_found if the user no longer exists */
  async open(
    environmentId: EnvironmentId,
    { userId, sessionId }: Importer,
    chain: EmbeddedChain,
  ): Promise<{ importId: string; publicKeys: Record<HpkeKem, Buffer> }> {
    return this.limiter.within(IMPORTS, `${environmentId}:${userId}`, async () => {
      const importId = newId();
      const custodian = this.custodians.get(VERSION, 'import');
      const receiver = await custodian.createReceiver({ environmentId, userId }, importId);
      if (!(await this.imports.open(environmentId, { importId, userId, sessionId }, chain, receiver))) throw notFound();
      return { importId, publicKeys: receiver.publicKeys };
    });
  }

  /**
   * Uses up the import whatever the outcome: a public key is valid for one message.
   *
   * @throws ApiError not_found unless this session began it less than five minutes ago, import_refused
   */
  async take(
    environmentId: EnvironmentId,
    claim: ImportClaim,
    { enc, ciphertext, address }: SentKey,
    actor: KeyActor,
  ): Promise<ImportedKeys> {
    const open = await this.imports.take(environmentId, claim);
    if (!open) throw notFound();
    const { importId, userId, sessionId } = claim;
    const { chain, sealed } = open;
    const owner = { environmentId, userId };
    const info = Buffer.from(['import/v1', environmentId, userId, chain, importId].join('|'));
    try {
      const custodian = this.custodians.get(VERSION, 'import');
      return await custodian.import(owner, { importId, sessionId, sealed }, { chain, enc, ciphertext, address, info });
    } catch (error) {
      const refused = refusalOf(error);
      // One lost with its signer is recorded too: the key may have been opened.
      if (refused instanceof ApiError) {
        const reason = error instanceof KeyRefused ? error.message : refused.message;
        const about = { actor, userId, keysId: importId, subject: { chain, importId }, reason };
        const use = { operation: 'import', ...about, digest: digestOf(ciphertext), verdict: refused.code } as const;
        await this.ledger.recordAlone(environmentId, use);
      }
      throw refused;
    }
  }

  /** Records that an imported key did not become a wallet after all. */
  async turnAway(
    environmentId: EnvironmentId,
    { userId, importId, actor }: ImportedFor,
    { account }: ImportedKeys,
    { code, message }: ApiError,
  ): Promise<void> {
    const { chain, address, publicKey } = account;
    const about = { actor, userId, keysId: importId, subject: { chain, address, importId }, reason: message };
    const digest = digestOf(Buffer.from(publicKey, 'hex'));
    await this.ledger.recordAlone(environmentId, { operation: 'import', ...about, digest, verdict: code });
  }
}

const refusalOf = (error: unknown): unknown =>
  error instanceof KeyRefused ? importRefused({ payload: { reason: error.message } }) : error;

/** The ledger's record of a key that became a wallet. */
export function importUse(
  { keysId, account }: ImportedKeys,
  { userId, walletId, importId, actor }: ImportedFor & { walletId: string },
): KeyUse {
  const { chain, address, publicKey } = account;
  const about = { actor, userId, keysId, subject: { walletId, chain, address }, reason: `import ${importId}` };
  return { operation: 'import', ...about, digest: digestOf(Buffer.from(publicKey, 'hex')), verdict: 'allowed' };
}

const digestOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
