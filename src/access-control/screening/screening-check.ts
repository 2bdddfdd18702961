import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Database, type EnvironmentId, type Executor } from '../../database/index.js';
import {
  PreparationNeeded,
  SignInCheck,
  SignInChecks,
  WalletCheck,
  WalletChecks,
  type Admission,
  type FullUser,
} from '../../identity/index.js';
import { REPEATED_WITHIN_MS } from '../repeated.js';
import { screeningUndecided } from './screening.errors.js';
import { WalletScreening } from './wallet-screening.js';

/** Screens all wallets of a user before tokens are issued. */
@Injectable()
export class ScreeningCheck extends SignInCheck implements OnModuleInit {
  constructor(
    private readonly checks: SignInChecks,
    private readonly screening: WalletScreening,
  ) {
    super();
  }

  onModuleInit(): void {
    this.checks.register(this);
  }

  override async check({ environmentId, user, created, prepared }: Admission, on: Executor): Promise<null> {
    if (!(await this.screening.isOn(environmentId, on))) return null;
    const addresses = addressesOf(user);
    if (addresses.length === 0) return null;
    const known = this.screening.recall(addresses, prepared ? 0 : REPEATED_WITHIN_MS);
    if (!known) {
      if (prepared) throw screeningUndecided();
      const userId = created ? null : user.id;
      throw new PreparationNeeded(() => this.screening.assertClean(environmentId, addresses, userId));
    }
    if (prepared) await this.screening.keep(environmentId, user.id, known, on);
    return null;
  }
}

/** Screens wallets before they are linked to a user. */
@Injectable()
export class NewWalletsCheck extends WalletCheck implements OnModuleInit {
  constructor(
    private readonly checks: WalletChecks,
    private readonly screening: WalletScreening,
    private readonly database: Database,
  ) {
    super();
  }

  onModuleInit(): void {
    this.checks.register(this);
  }

  override async check(
    environmentId: EnvironmentId,
    addresses: readonly string[],
    userId: string | null,
  ): Promise<void> {
    if (!(await this.screening.isOn(environmentId, this.database))) return;
    await this.screening.assertClean(environmentId, addresses, userId);
  }
}

/** Includes unverified ones asserted through the API, which can only cause a refusal here, never admit anybody. */
function addressesOf({ verifiedCredentials }: FullUser): string[] {
  const addresses = verifiedCredentials.flatMap(({ format, address, wallet_additional_addresses: more = [] }) =>
    format === 'blockchain' && address ? [address, ...more.map((other) => other.address)] : [],
  );
  return [...new Set(addresses)];
}
