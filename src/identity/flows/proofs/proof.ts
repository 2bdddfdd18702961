import { ApiError } from '../../../common/errors/index.js';
import type { EnvironmentId, Transaction } from '../../../database/index.js';
import type { ClaimableIdentifier } from '../../credentials/identifier-key.js';
import type { NewCredential } from '../../credentials/new-credential.js';
import type { ProfileFields } from '../../users/profile-fields.dto.js';
import type { FactorClass } from '../../vocabulary/factors.js';
import type { Voucher } from '../../vocabulary/voucher.js';

/** An identifier of a person, as shown by a proof. */
export interface ShownIdentifier {
  identifier: ClaimableIdentifier;
  /**
   * `proven`: checked by the method itself. `vouched`: confirmed by the issuer of such identifiers, such as a provider
   * for its own mailboxes; finds a user only if no proven identifier does. `stated`: asserted by a third party.
   */
  strength: 'proven' | 'vouched' | 'stated';
  /** Further details of the credential; its `id` if the method keeps a row for it. */
  credential?: Partial<NewCredential>;
}

/** How strong a proof is, and when it was given. */
export interface Assurance {
  /** Authentication methods, by their RFC 8176 names where one exists. */
  amr: readonly string[];
  factor: FactorClass;
  /** When the person authenticated; a session elsewhere may be older than its assertion. */
  at: Date;
  /** The party vouching for the person, for organizations that enforce their own provider; absent if there is none. */
  voucher?: Voucher | undefined;
}

/** For the error of whatever refuses a correct proof: the attempt is no failure. */
export const takingBack =
  (proof: Pick<Proof, 'takeBack'>) =>
  async (error: unknown): Promise<never> => {
    if (error instanceof ApiError) await proof.takeBack?.();
    throw error;
  };

/** Stores what a provider issued along with a proof, sealed before the transaction began. */
export abstract class ProviderTokenStore {
  abstract keep(
    environmentId: EnvironmentId,
    owner: { userId: string; credentialId: string | null },
    tokens: unknown,
    tx: Transaction,
  ): Promise<void>;
}

/** The result of a sign-in method. */
export interface Proof {
  /** All identifiers of the person. Those only stated never find, claim or change a user. */
  identifiers: readonly [ShownIdentifier, ...ShownIdentifier[]];
  assurance: Assurance;
  /** Initial profile of a new user. */
  profile?: Partial<ProfileFields>;
  /** Provider tokens, opaque to everything but their store. */
  kept?: { store: ProviderTokenStore; tokens: unknown };
  /** Uses up the proof, in the transaction it is for. @throws ApiError 422 if it was used already */
  redeem(tx: Transaction): Promise<void>;
  /** Undoes what counting the attempt has cost, if something refuses a correct proof. */
  takeBack?(): Promise<void>;
  /**
   * For a proof that may be shown once more: refuses what `redeem` would refuse, but does not use it up. Without this
   * method, a proof is redeemed wherever it is checked.
   * @throws ApiError 422 if the proof was used or is no longer valid
   */
  assertUnused?(tx: Transaction): Promise<void>;
}
