import { Injectable } from '@nestjs/common';
import { notFound } from '../../common/errors/index.js';
import { newId } from '../../common/ids.js';
import { importUse, KeyLedger, type ImportedFor, type ImportedKeys } from '../../custody/index.js';
import { Outbox, type EnvironmentId, type Transaction } from '../../database/index.js';
import { CredentialWriter } from '../../identity/index.js';
import { SignInAddresses } from '../making/sign-in-addresses.js';
import { embeddedCredential } from '../record/wallet-credential.js';
import { importedWalletExists, tooManyWallets } from '../record/wallet.errors.js';
import { ownWalletEvent, WALLET_CREATED } from '../record/wallet.events.js';
import { MAX_IMPORTED_PER_USER } from '../record/wallet-limits.js';
import { WalletsRepository } from '../record/wallets.repository.js';

const IMPORTED_WALLET_NAME = 'Imported wallet';

/** Writes wallets for imported keys together with the key, credential, ledger entry and event. */
@Injectable()
export class ImportedWallets {
  constructor(
    private readonly wallets: WalletsRepository,
    private readonly signIns: SignInAddresses,
    private readonly credentials: CredentialWriter,
    private readonly ledger: KeyLedger,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Concurrent imports of one key meet at the unique constraint on addresses, and one of them creates the wallet. A
   * sign-in with the key meets the import at the lock on the address: whichever comes second is refused.
   *
   * @throws ApiError not_found for a deleted user, too_many_wallets, wallet_signs_in, imported_wallet_exists
   */
  async write(
    environmentId: EnvironmentId,
    { userId, importId, actor }: ImportedFor,
    keys: ImportedKeys,
    tx: Transaction,
  ): Promise<void> {
    await this.signIns.assertNone(environmentId, [keys.account], tx);
    if (!(await this.wallets.lockUser(environmentId, userId, tx))) throw notFound();
    const count = await this.wallets.countImported(environmentId, userId, tx);
    if (count >= MAX_IMPORTED_PER_USER)
      throw tooManyWallets({ message: 'The user has imported as many keys as may be.' });
    const walletId = newId();
    await keys.store(tx);
    const made = await this.wallets.insertEmbedded(
      environmentId,
      {
        userId,
        name: IMPORTED_WALLET_NAME,
        keysId: keys.keysId,
        version: 'V1',
        claimed: true,
        accounts: [{ ...keys.account, id: walletId, index: null, path: null }],
      },
      tx,
    );
    if (made.length === 0) throw importedWalletExists();
    this.ledger.record(environmentId, importUse(keys, { userId, walletId, importId, actor }), tx);
    this.credentials.add(environmentId, userId, made.map(embeddedCredential), tx);
    const events = made.map((wallet) => ownWalletEvent(WALLET_CREATED, userId, wallet));
    await this.outbox.append(environmentId, events, tx);
  }
}
