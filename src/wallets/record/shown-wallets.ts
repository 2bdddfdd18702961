import { Injectable } from '@nestjs/common';
import {
  constant,
  jsonOf,
  listJsonOf,
  PRESENT,
  rowsOf,
  type Fields,
  type Formed,
  type SubjectRows,
} from '../../database/index.js';
import { SHOWN_SEEDS, SHOWN_SHARE_SETS } from '../../custody/index.js';
import { NameServiceRow, WalletNameRow } from '../name-service/name-service.entity.js';
import { Wallet } from './wallet.entity.js';

const WALLETS = rowsOf(Wallet);
/** Absent for external wallets. */
const SEED = WALLETS.beside('seed', SHOWN_SEEDS, { id: 'seedId' });
/** A name resolves as long as the environment issues names. */
const NAMES = rowsOf(WalletNameRow);
const SERVICE = NAMES.beside('name_service', rowsOf(NameServiceRow, 'id', 'domain', 'enabledAt'), { id: 'serviceId' });
const NAME_OF_WALLET: Fields<Wallet> = {
  givenName: WALLETS.one(
    NAMES,
    { walletId: 'id' },
    NAMES.when(
      SERVICE.is({ enabledAt: PRESENT }),
      NAMES.fields({ handle: 'handle', domain: SERVICE.column('domain') }),
    ),
  ),
};
const SHARED = { version: ['V2', 'V3'] } as const;

/**
 * A wallet as the API shows it. The only mapping from columns to fields: responses, events and the full form of a user
 * are all built from it.
 */
const shownWith = (keyShares: SubjectRows | null, more: Fields<Wallet> = {}): Formed<Wallet> =>
  WALLETS.fields({
    id: 'id',
    name: 'name',
    chain: 'chain',
    publicKey: 'address',
    provider: 'provider',
    properties: WALLETS.when(
      { kind: 'embedded' },
      WALLETS.fields({
        keyvaultSubOrganizationId: SEED.column('vaultOrganizationId'),
        keyvaultHDWalletId: WALLETS.when({ accountIndex: PRESENT }, 'seedId'),
        keyvaultPrivateKeyId: WALLETS.when(SEED.is({ kind: 'private-key' }), 'seedId'),
        keyvaultUserId: SEED.column('vaultUserId'),
        isAuthenticatorAttached: constant(false),
        isSessionKeyCompatible: constant(true),
        version: WALLETS.unless('version', 'external'),
        thresholdSignatureScheme: WALLETS.when(SHARED, WALLETS.one(SHOWN_SHARE_SETS, { id: 'seedId' }, 'scheme')),
        keyShares: keyShares ? WALLETS.when(SHARED, WALLETS.listOf(keyShares)) : constant(null),
        derivationPath: 'derivationPath',
        claimed: WALLETS.isSet('claimedAt'),
        settings: WALLETS.when(
          WALLETS.any({ deniesDelegation: true }, { version: 'V3' }, { dealtKeysId: PRESENT }),
          WALLETS.sparse({
            hasDeniedDelegatedAccess: WALLETS.unless('deniesDelegation', false),
            shouldRefreshOnNextSignOn: WALLETS.when(
              WALLETS.has(SHOWN_SHARE_SETS, { id: ['seedId', 'dealtKeysId'] }, { dealt: true }),
              constant(true),
            ),
          }),
        ),
      }),
    ),
    lastSelectedAt: WALLETS.moment('lastSelectedAt'),
    ...more,
  });

/** How wallets are shown, and what the context above, which stores copies of key shares, adds to them. */
@Injectable()
export class ShownWallets {
  private keyShares: SubjectRows | null = null;
  private composed: Formed<Wallet> | null = null;
  private ofOwner: Formed<Wallet> | null = null;
  private text: string | null = null;
  private listText: string | null = null;

  /** @param rows rows of the wallets named by their `subject`; to be registered before the first wallet is read */
  showKeyShares(rows: SubjectRows): void {
    if (this.composed || this.ofOwner || this.keyShares)
      throw new Error('It is settled already what wallets show of key shares.');
    this.keyShares = rows;
  }

  /** For the wallets' own statements: the wallet in their row `w`. */
  get json(): string {
    return (this.text ??= jsonOf(this.shown, Wallet, 'w'));
  }

  /** The same as a list, for the user `u`. */
  get listJson(): string {
    return (this.listText ??= listJsonOf(this.ofUser, 'u'));
  }

  /** A user's wallets that are not hidden, oldest first; with names, which credentials show. */
  get ofUser(): SubjectRows {
    return WALLETS.listed({
      subject: 'userId',
      where: { deletedAt: null },
      order: ['createdAt', 'id'],
      fields: this.shownToOwner,
    });
  }

  private get shownToOwner(): Formed<Wallet> {
    return (this.ofOwner ??= shownWith(this.keyShares, NAME_OF_WALLET));
  }

  private get shown(): Formed<Wallet> {
    return (this.composed ??= shownWith(this.keyShares));
  }
}
