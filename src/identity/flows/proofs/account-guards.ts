import { Injectable } from '@nestjs/common';
import { TenantDirectory } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { AssuranceRequirements } from '../../assurance/requirements.js';
import type { FullUser } from '../../users/full-user.js';
import { MAILBOX_AMR } from '../../vocabulary/factors.js';

/** Whether an account is protected from being merged into another one and from losing what it has to one. */
export type AccountGuard = (user: FullUser) => boolean;

/** A single factor must not bypass a second one, and dashboard users are never merged or moved. */
@Injectable()
export class AccountGuards {
  constructor(
    private readonly tenants: TenantDirectory,
    private readonly requirements: AssuranceRequirements,
  ) {}

  /**
   * Must not be called in a transaction. The returned guard runs no statements, so it can check a locked account.
   * @param amr methods of the proof given for the account
   */
  async against(environmentId: EnvironmentId, amr: readonly string[]): Promise<AccountGuard> {
    const guard = await this.againstOperators(environmentId);
    const showsMailbox = amr.some((method) => MAILBOX_AMR.includes(method));
    if (showsMailbox || !(await this.requirements.areTakenByMail(environmentId))) return guard;
    return (user) => guard(user) || hasMailbox(user);
  }

  /** Ignores second factors by email: an operator presents no proof that could replace them. */
  async againstOperators(environmentId: EnvironmentId): Promise<AccountGuard> {
    if (environmentId === (await this.tenants.consoleEnvironmentId())) return () => true;
    return ({ mfaDevices }) => mfaDevices.length > 0;
  }
}

const hasMailbox = ({ verifiedCredentials }: FullUser): boolean =>
  verifiedCredentials.some(({ format, verifiedAt }) => format === 'email' && verifiedAt);
