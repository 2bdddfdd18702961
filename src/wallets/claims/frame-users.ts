import { Injectable } from '@nestjs/common';
import { ApiError } from '../../common/errors/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { CredentialWriter, UserIdentities, UserReader } from '../../identity/index.js';
import type { Actor } from '../../organizations/index.js';
import type { FrameUser } from './owner-identifier.js';
import type { WalletOwner } from '../making/wallet-maker.js';

/** The account on the frame network is another user's than the email. Undoes what was written on the way to know it. */
export class AccountOfAnotherUser extends Error {
  override readonly name = 'AccountOfAnotherUser';
}

/** The id of a user that has to be made, and who has it made. */
interface MadeBy {
  newUserId: string;
  actor: Actor;
}

/**
 * Finds or makes the user of a frame server: the one known by the account on the network, else the one known by the
 * email, else a new one. Nothing of it is proven, so neither credential may be used to sign in.
 */
@Injectable()
export class FrameUsers {
  constructor(
    private readonly identities: UserIdentities,
    private readonly credentials: CredentialWriter,
    private readonly users: UserReader,
  ) {}

  /**
   * The user of the email with the account attached. The email is claimed before the account in every call, so that two
   * calls never wait for each other.
   *
   * @throws AccountOfAnotherUser if the account tells a user apart already, but another one; to be rolled back
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
    // Whoever has the credential gets the claim, unless somebody claimed the account before.
    const owner = await this.ensureByAccount(environmentId, { email, account }, made, tx).catch((error: unknown) => {
      throw isAmbiguous(error) ? new AccountOfAnotherUser() : error;
    });
    if (owner.userId !== user.userId) throw new AccountOfAnotherUser();
    return user;
  }

  /** The user of the account alone. */
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
