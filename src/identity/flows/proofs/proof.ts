import type { EnvironmentId, Transaction } from '../../../database/index.js';
import type { ClaimableIdentifier } from '../../credentials/identifier-key.js';
import type { NewCredential } from '../../credentials/new-credential.js';
import type { ProfileFields } from '../../users/profile-fields.dto.js';
import type { FactorClass } from '../../vocabulary/factors.js';
import type { Voucher } from '../../vocabulary/voucher.js';

/** Somebody's identifier, as a proof brings it. */
export interface ShownIdentifier {
  identifier: ClaimableIdentifier;
  /**
   * `proven`: the method has checked it itself. `vouched`: whoever gives such identifiers out says so, as a provider does
   * of a mailbox of its own; it finds a user where nothing that is proven does. `stated`: somebody else says so.
   */
  strength: 'proven' | 'vouched' | 'stated';
  /** What is known of the credential beside the identifier; its `id` where the method keeps a row for it. */
  credential?: Partial<NewCredential>;
}

/** How sure a proof makes of the person, and since when. */
export interface Assurance {
  /** Methods of authentication, by names of RFC 8176 where it has one. */
  amr: readonly string[];
  factor: FactorClass;
  /** When the person acted; a session elsewhere may be older than its assertion. */
  at: Date;
  /** For people whom their organization holds to its provider; nobody, where it is absent. */
  voucher?: Voucher | undefined;
}

/** Keeps what a provider gave along with a proof, sealed before the transaction began. */
export abstract class ProviderTokenStore {
  abstract keep(
    environmentId: EnvironmentId,
    owner: { userId: string; credentialId: string | null },
    tokens: unknown,
    tx: Transaction,
  ): Promise<void>;
}

/** What a method of sign-in has established. */
export interface Proof {
  /** Everything it says about who this is. What is only stated never finds, claims or changes a user. */
  identifiers: readonly [ShownIdentifier, ...ShownIdentifier[]];
  assurance: Assurance;
  /** What a new user starts with. */
  profile?: Partial<ProfileFields>;
  /** Tokens of the provider, which nobody but their store looks at. */
  kept?: { store: ProviderTokenStore; tokens: unknown };
  /** Makes the proof unusable, in the transaction it is for. @throws ApiError 422 when somebody else used it first */
  redeem(tx: Transaction): Promise<void>;
  /**
   * For a proof that its person may show once more: refuses what `redeem` would refuse, and leaves it unused. Without it a
   * proof is redeemed wherever it is looked at.
   * @throws ApiError 422 when the proof was used, or is not good any more
   */
  assertUnused?(tx: Transaction): Promise<void>;
}
