import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { EnvironmentSecrets } from '../secrets/environment-secrets.js';
import { isTestAddress, isTestPhone } from './test-account-values.js';
import { TestAccountsRepository } from './test-accounts.repository.js';

export const TEST_CODE = 'testAccount.code';

/** The fixed codes of test accounts, for the methods that send codes. */
@Injectable()
export class TestAccounts {
  constructor(
    private readonly accounts: TestAccountsRepository,
    private readonly secrets: EnvironmentSecrets,
  ) {}

  /** Whether an address can only belong to a test account: nothing is ever sent there. */
  isReserved(email: string): boolean {
    return isTestAddress(email);
  }

  /** The code of the account with this address; null without a query for any other address. */
  async codeFor(environmentId: EnvironmentId, email: string): Promise<string | null> {
    if (!isTestAddress(email)) return null;
    const account = await this.accounts.find(environmentId, { email });
    return account && this.secrets.find(environmentId, TEST_CODE);
  }

  /** Whether a number can only belong to a test account. */
  isReservedPhone(number: string): boolean {
    return isTestPhone(number);
  }

  /** The code of the account with this number (E.164); null without a query for any other number. */
  async codeForPhone(environmentId: EnvironmentId, phone: string): Promise<string | null> {
    if (!isTestPhone(phone)) return null;
    const account = await this.accounts.find(environmentId, { phone });
    return account && this.secrets.find(environmentId, TEST_CODE);
  }
}
