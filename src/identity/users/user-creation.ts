import { Injectable } from '@nestjs/common';
import { newId } from '../../common/ids.js';
import {
  duplicateExists,
  violatedConstraint,
  type EnvironmentId,
  type EventDraft,
  type Work,
} from '../../database/index.js';
import { ChangeLog, type Actor } from '../../organizations/index.js';
import type { FullUser } from './full-user.js';
import { GivenAccounts } from './given-accounts.js';
import { assertMetadataSize } from './metadata-size.js';
import { newUserOf } from './new-user.js';
import { UserFacets, type NewUserWallet } from './user-facets.js';
import { UserReader } from './user-reader.js';
import type { UserCreateRequest } from './user-request.dto.js';
import { WalletChecks } from './wallet-checks.js';
import { USER_CREATED, userEvent } from './user.events.js';
import { UsersRepository } from './users.repository.js';

const isTakenId = (error: unknown): boolean => violatedConstraint(error) === 'users_pkey';

/** Whether a refusal of `UserCreation.create` says that another user has the id. */
export const isIdTaken = ({ cause }: Error): boolean => cause !== undefined && isTakenId(cause);

/** Creates users described by an API caller. */
@Injectable()
export class UserCreation {
  constructor(
    private readonly users: UsersRepository,
    private readonly reader: UserReader,
    private readonly facets: UserFacets,
    private readonly changes: ChangeLog,
    private readonly walletChecks: WalletChecks,
    private readonly given: GivenAccounts,
  ) {}

  /** @throws ApiError 422 `duplicate_exists` for a taken id, `metadata_size_exceeded`, 403 of a rule about wallets */
  async create(environmentId: EnvironmentId, request: UserCreateRequest, actor: Actor, work: Work): Promise<FullUser> {
    const { id, ...description } = request;
    assertMetadataSize(description.metadata);
    assertMetadataSize(description.privateMetadata);
    const userId = id?.toLowerCase() ?? newId();
    const connections = await this.given.connectionsOf(environmentId, [description]);
    const { profile, credentials, wallets } = newUserOf(description, connections);
    await this.walletChecks.assertAdmitted(environmentId, wallets.flatMap(addressesOf), null);
    try {
      return await work.run(async (tx) => {
        let user = await this.users.insertUser(environmentId, userId, profile, credentials, tx);
        let attached: EventDraft[] = [];
        if (wallets.length > 0) {
          attached = await this.facets.create(environmentId, userId, { wallets }, tx);
          user = await this.reader.getFull(environmentId, userId, tx);
        }
        const drafts = [userEvent(USER_CREATED, user, null), ...attached];
        await this.changes.tell(environmentId, { type: typeOf, actor, drafts, routine: true }, tx);
        return user;
      });
    } catch (error) {
      if (isTakenId(error)) throw duplicateExists({ message: 'A user has this id already.', cause: error });
      throw error;
    }
  }
}

const addressesOf = ({ address, additionalAddresses }: NewUserWallet): string[] => [
  address,
  ...additionalAddresses.map((other) => other.address),
];

/** A new user comes with the wallets it is said to own. */
const typeOf = ({ event }: EventDraft): string => (event === USER_CREATED ? 'user' : 'wallet');
