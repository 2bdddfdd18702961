import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../auth/index.js';
import { UserReader } from '../identity/index.js';
import {
  BalancesService,
  type MultichainAccountBalanceResponse,
  type MultichainAccountBalancesRequest,
} from '../networks/index.js';

/** Balances for the dashboard: for a user of the environment, at the addresses in the request. */
@Injectable()
export class UserBalances {
  constructor(
    private readonly users: UserReader,
    private readonly balances: BalancesService,
  ) {}

  /** @throws ApiError 404 */
  async read(
    environmentId: EnvironmentId,
    userId: string,
    request: MultichainAccountBalancesRequest,
  ): Promise<MultichainAccountBalanceResponse> {
    await this.users.getFull(environmentId, userId);
    return this.balances.ofAccounts(environmentId, request);
  }
}
