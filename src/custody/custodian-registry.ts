import { Injectable } from '@nestjs/common';
import type { Capabilities, Capability, Custodian, CustodyVersion } from './custodian.js';
import { noCompatibleWalletService, notSupportedByCustodian } from './custody.errors.js';

/** Who holds the keys of a wallet. */
export interface VersionedWallet {
  readonly version: CustodyVersion;
  /** Whether its key is shared with the user, rather than held by a custodian of its version. */
  readonly isShared: boolean;
}

/** The deployment's custodians, one per version. They register themselves at startup. */
@Injectable()
export class CustodianRegistry {
  private readonly custodians = new Map<CustodyVersion, Custodian>();

  /** @throws Error for a second one of a version, and for one that could not be told when the keys it comes by end */
  register(custodian: Custodian): void {
    const { version, can } = custodian;
    if (this.custodians.has(version)) throw new Error(`There are two custodians of version ${version}.`);
    if ((can.create ?? can.import) && !can.retire)
      throw new Error(`The custodian of version ${version} comes by keys that it cannot retire.`);
    this.custodians.set(version, custodian);
  }

  all(): readonly Custodian[] {
    return [...this.custodians.values()];
  }

  /**
   * One capability of the custodian for a version.
   *
   * @throws ApiError no_compatible_wallet_service_enabled, not_supported_by_custodian
   */
  get<C extends Capability>(version: CustodyVersion, capability: C): Capabilities[C] {
    const custodian = this.custodians.get(version);
    if (!custodian) throw noCompatibleWalletService({ payload: { version } });
    const able: Partial<Capabilities>[C] = custodian.can[capability];
    if (!able) throw notSupportedByCustodian({ payload: { version, capability } });
    return able;
  }

  /**
   * The same for the keys of a wallet. Those of V3 that are shared with its user are held by no custodian, although a
   * team may have one of this version; those of V2 are split, and their custodian is the only one.
   *
   * @throws ApiError no_compatible_wallet_service_enabled, not_supported_by_custodian
   */
  getFor<C extends Capability>({ version, isShared }: VersionedWallet, capability: C): Capabilities[C] {
    const able = this.get(version, capability);
    if (isShared && version === 'V3') throw notSupportedByCustodian({ payload: { version, capability } });
    return able;
  }
}
