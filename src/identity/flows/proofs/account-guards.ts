import { Injectable } from '@nestjs/common';
import { TenantDirectory } from '../../../auth/index.js';
import type { EnvironmentId } from '../../../database/index.js';
import { AssuranceRequirements } from '../../assurance/requirements.js';
import type { FullUser } from '../../users/full-user.js';
import { MAILBOX_AMR } from '../../vocabulary/factors.js';

/** Whether an account may neither become part of another one nor lose what it has to it. */
export type AccountGuard = (user: FullUser) => boolean;

/** One factor does not undo what a second step protects; and who is a user of the dashboard stays who they are. */
@Injectable()
export class AccountGuards {
  constructor(
    private readonly tenants: TenantDirectory,
    private readonly requirements: AssuranceRequirements,
  ) {}

  /**
   * Not to be called in a transaction. What it answers needs no statement, and can be asked of an account that is held.
   * @param amr of the proof that was given of the account
   */
  async against(environmentId: EnvironmentId, amr: readonly string[]): Promise<AccountGuard> {
    const guard = await this.againstOperators(environmentId);
    const showsMailbox = amr.some((method) => MAILBOX_AMR.includes(method));
    if (showsMailbox || !(await this.requirements.areTakenByMail(environmentId))) return guard;
    return (user) => guard(user) || hasMailbox(user);
  }

  /** Steps that are taken by mail do not count: an operator gives no proof that could do without them. */
  async againstOperators(environmentId: EnvironmentId): Promise<AccountGuard> {
    if (environmentId === (await this.tenants.consoleEnvironmentId())) return () => true;
    return ({ mfaDevices }) => mfaDevices.length > 0;
  }
}

const hasMailbox = ({ verifiedCredentials }: FullUser): boolean =>
  verifiedCredentials.some(({ format, verifiedAt }) => format === 'email' && verifiedAt);
