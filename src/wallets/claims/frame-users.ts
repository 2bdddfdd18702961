import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { CredentialWriter, UserIdentities, UserReader } from '../../identity/index.js';
import type { Actor } from '../../organizations/index.js';
import type { FrameUser } from './owner-identifier.js';
import type { WalletOwner } from '../making/wallet-maker.js';

/** The frame account and the email belong to different users. Thrown to roll back what was written to find out. */
export class AccountOfAnotherUser extends Error {
  override readonly name = 'AccountOfAnotherUser';
}

/** The id for a user that has to be created, and who creates it. */
interface MadeBy {
  newUserId: string;
  actor: Actor;
}

/**
 * Finds or creates the user of a frame server: by the account on the network, else by the email. Neither is proven, so
 * neither credential may be used to sign in.
 */
@Injectable()
export class FrameUsers {
  constructor(
    private readonly identities: UserIdentities,
    private readonly credentials: CredentialWriter,
    private readonly users: UserReader,
  ) {}

  /**
   * The user with this email, with the account attached. Every call claims the email before the account, so that two
   * calls never deadlock.
   *
   * @throws AccountOfAnotherUser if the account already identifies a different user; roll back
   */
  async ensureByEmail(
    environmentId: EnvironmentId,
    { email, account }: FrameUser,
    made: MadeBy,
    tx: Transaction,
  ): Promise<WalletOwner> {
    const user = await this.identities.ensure(environmentId, email, { proven: false, ...made }, tx);
    if (user.created || !(await this.hasAccount(environmentId, user.userId, account, tx))) {
      const credential = {
        format: 'oauth' as const,
        signInEnabled: false,
        oauthProvider: account.provider,
        oauthAccountId: account.value,
        publicIdentifier: account.value,
      };
      this.credentials.add(environmentId, user.userId, [credential], tx);
    }
    // The user with the credential gets the claim, unless the account is claimed already.
    const owner = await this.ensureByAccount(environmentId, { email, account }, made, tx).catch((error: unknown) => {
      throw isAmbiguous(error) ? new AccountOfAnotherUser() : error;
    });
    if (owner.userId !== user.userId) throw new AccountOfAnotherUser();
    return user;
  }

  /** The user of the account, ignoring the email. */
  ensureByAccount(
    environmentId: EnvironmentId,
    { account }: FrameUser,
    made: MadeBy,
    tx: Transaction,
  ): Promise<WalletOwner> {
    return this.identities.ensure(environmentId, account, { proven: false, ...made }, tx);
  }

  private async hasAccount(
    environmentId: EnvironmentId,
    userId: string,
    account: FrameUser['account'],
    tx: Transaction,
  ): Promise<boolean> {
    const user = await this.users.getFull(environmentId, userId, tx);
    return user.verifiedCredentials.some(
      (credential) => credential.oauth_provider === account.provider && credential.oauth_account_id === account.value,
    );
  }
}

const isAmbiguous = (error: unknown): boolean => error instanceof ApiError && error.code === 'ambiguous_identifier';
