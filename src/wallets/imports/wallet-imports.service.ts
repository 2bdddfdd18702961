import { Injectable } from '@nestjs/common';
import { base58 } from '@scure/base';
import type { ClientOrigin, EndUserPrincipal } from '../../auth/index.js';
import { ApiError } from '../../common/errors/index.js';
import { invalidFields } from '../../common/http/validation.pipe.js';
import {
  HPKE_KEMS,
  KeyImport,
  keyActorOf,
  type EmbeddedChain,
  type ImportedFor,
  type ImportedKeys,
} from '../../custody/index.js';
import type { EnvironmentId } from '../../database/index.js';
import {
  AdmittedChanges,
  SessionAnswer,
  UserReader,
  WalletChecks,
  type FullUser,
  type SignedIn,
} from '../../identity/index.js';
import type { OpenRoomResponseWithServerKeygenIds } from '../exports/wallet-export.dto.js';
import { discardKeys } from '../making/discard-keys.js';
import { KeyNotices } from '../notices/key-notices.js';
import { ImportedWallets } from './imported-wallets.js';
import type { CompletePrivateKeyImportRequest, ImportWaasPrivateKeyRequest } from './wallet-import.dto.js';

type WaasChain = ImportWaasPrivateKeyRequest['chain'];

const CHAINS: Record<WaasChain, EmbeddedChain | null> = { EVM: 'EVM', SVM: 'SOL', SUI: 'SUI', BTC: 'BTC', TON: null };

const BASE64URL = /^[A-Za-z0-9_-]+$/;

/** Imports of users' private keys, sealed to a key of the service: requested first, then completed once. */
@Injectable()
export class WalletImports {
  constructor(
    private readonly imports: KeyImport,
    private readonly imported: ImportedWallets,
    private readonly checks: WalletChecks,
    private readonly users: UserReader,
    private readonly answer: SessionAnswer,
    private readonly notices: KeyNotices,
    private readonly changes: AdmittedChanges,
  ) {}

  /** @throws ApiError validation_failed, too_many_requests */
  async open(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    { chain, clientKeygenIds }: ImportWaasPrivateKeyRequest,
  ): Promise<OpenRoomResponseWithServerKeygenIds> {
    const embedded = CHAINS[chain];
    if (!embedded) throw refused('chain', `keys of ${chain} are not held here`);
    if (clientKeygenIds.length > 0) throw refused('clientKeygenIds', 'a key that is imported has no shares');
    const { importId, publicKeys } = await this.imports.open(environmentId, caller, embedded);
    return { roomId: importId, serverKeygenIds: HPKE_KEMS.map((kem) => base58.encode(publicKeys[kem])) };
  }

  /**
   * @throws ApiError not_found unless this session requested it less than five minutes ago and it is not yet completed,
   *   import_refused, wallet_signs_in, imported_wallet_exists, too_many_wallets, 403 from a wallet rule
   */
  async complete(
    environmentId: EnvironmentId,
    caller: EndUserPrincipal,
    activityId: string,
    request: CompletePrivateKeyImportRequest,
    client: ClientOrigin,
  ): Promise<SignedIn<FullUser>> {
    const { userId, sessionId } = caller;
    const { address } = request;
    const sent = { address, enc: bytesOf('enc', request), ciphertext: bytesOf('ciphertext', request) };
    const actor = keyActorOf(caller);
    const claim = { importId: activityId, userId, sessionId };
    const keys = await this.imports.take(environmentId, claim, sent, actor);
    try {
      const user = await this.keep(environmentId, { userId, importId: activityId, actor }, keys, client);
      await this.notices.tell(environmentId, userId, { change: 'imported', address }, client);
      return await this.answer.renew(environmentId, caller, user, client);
    } finally {
      discardKeys(keys);
    }
  }

  /** The user chose this address freely, so the rules are checked before anything is stored. */
  private async keep(
    environmentId: EnvironmentId,
    about: ImportedFor,
    keys: ImportedKeys,
    client: ClientOrigin,
  ): Promise<FullUser> {
    const { userId } = about;
    try {
      await this.checks.assertAdmitted(environmentId, [keys.account.address], userId);
      const { user } = await this.changes.run(environmentId, client, async (tx) => {
        await this.imported.write(environmentId, about, keys, tx);
        return { user: await this.users.getFull(environmentId, userId, tx) };
      });
      return user;
    } catch (error) {
      if (error instanceof ApiError) await this.imports.turnAway(environmentId, about, keys, error);
      throw error;
    }
  }
}

function bytesOf(field: 'enc' | 'ciphertext', request: CompletePrivateKeyImportRequest): Buffer {
  if (!BASE64URL.test(request[field])) throw refused(field, `${field} must be base64url`);
  return Buffer.from(request[field], 'base64url');
}

const refused = (field: string, message: string): Error => invalidFields([{ field, message }]);
