import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../database/index.js';

/** A rule about which wallets are allowed, such as a sanctions list. */
export abstract class WalletCheck {
  /**
   * Called outside any transaction.
   * @param userId null if nobody has them yet
   * @throws ApiError 403
   */
  abstract check(environmentId: EnvironmentId, addresses: readonly string[], userId: string | null): Promise<void>;
}

/** Run before wallets are linked, attached or created. Higher-level contexts register their rules. */
@Injectable()
export class WalletChecks {
  private readonly checks: WalletCheck[] = [];

  register(check: WalletCheck): void {
    this.checks.push(check);
  }

  /** @throws ApiError of the first rule that refuses */
  async assertAdmitted(
    environmentId: EnvironmentId,
    addresses: readonly string[],
    userId: string | null,
  ): Promise<void> {
    if (addresses.length === 0) return;
    for (const rule of this.checks) await rule.check(environmentId, addresses, userId);
  }
}
