import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { ApiError } from '../../../common/errors/index.js';
import { validationPipe } from '../../../common/http/validation.pipe.js';
import { idOfName } from '../../../common/ids.js';
import { translateDatabaseError, UnitOfWork, type EnvironmentId } from '../../../database/index.js';
import { SERVICE } from '../../../organizations/index.js';
import { normaliseEmail } from '../../credentials/identifiers.js';
import { GivenAccounts } from '../given-accounts.js';
import { isIdTaken, UserCreation } from '../user-creation.js';
import { UserIdentities, type Identifier } from '../user-identities.js';
import { UserCreateRequest } from '../user-request.dto.js';
import { readForeignUser, type ForeignUser } from './foreign-user.js';

export type ImportedUser =
  | { readonly outcome: 'added'; readonly userId: string; readonly leftAccounts: readonly string[] }
  | { readonly outcome: 'present'; readonly userId: string }
  | { readonly outcome: 'refused'; readonly problem: string };

const refused = (problem: string): ImportedUser => ({ outcome: 'refused', problem });

/**
 * Imports users from other identity servers, one by one. The user id is derived from the address, or else from the id
 * on the other server, so repeated or concurrent imports create a user once; the primary key decides.
 */
@Injectable()
export class UsersImport {
  private readonly pipe = validationPipe();

  constructor(
    private readonly creation: UserCreation,
    private readonly identities: UserIdentities,
    private readonly given: GivenAccounts,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async add(environmentId: EnvironmentId, value: unknown): Promise<ImportedUser> {
    const foreign = readForeignUser(value);
    if (!foreign) return refused('is no object');
    if (foreign.isBlocked) return refused('may not sign in where it comes from');
    let id = '';
    try {
      const request = await this.requestOf(foreign);
      const name = nameOf(foreign, request);
      if (name === null) return refused('has neither an id nor an email to know it by');
      id = idOfName(`user of ${environmentId}: ${name}`);
      const holder = await this.holderOf(environmentId, request);
      if (holder !== null) return { outcome: 'present', userId: holder };
      await this.creation.create(environmentId, { ...request, id }, SERVICE, this.work);
      return { outcome: 'added', userId: id, leftAccounts: foreign.leftAccounts };
    } catch (error) {
      const known = error instanceof ApiError ? error : translateDatabaseError(error);
      // A service failure says nothing about the user.
      if (!known || known.status >= 500) throw error;
      return isIdTaken(known) ? { outcome: 'present', userId: id } : refused(problemOf(known));
    }
  }

  private async requestOf({ fields, isEmailVerified }: ForeignUser): Promise<UserCreateRequest> {
    const isVerified = isEmailVerified && fields['email'] !== undefined;
    const body = { ...fields, ...(isVerified && { emailVerifiedAt: this.clock.now().toISOString() }) };
    return (await this.pipe.transform(body, { type: 'body', metatype: UserCreateRequest })) as UserCreateRequest;
  }

  /** The user who already has the email or an account, by sign-in here or otherwise; null if there is none. */
  private async holderOf(
    environmentId: EnvironmentId,
    { email, oauthAccounts = [] }: UserCreateRequest,
  ): Promise<string | null> {
    const connections = await this.given.connectionsOf(environmentId, [{ oauthAccounts }]);
    const identifiers: Identifier[] = [
      ...(email ? [{ kind: 'email', value: email } as const] : []),
      ...oauthAccounts.map(({ provider, accountId: value }): Identifier => {
        const connection = connections.get(provider);
        return { kind: 'socialAccountId', value, provider, ...(connection && { connection }) };
      }),
    ];
    for (const identifier of identifiers) {
      const holder = await this.identities.expect(environmentId, identifier);
      if (holder !== null) return holder;
    }
    return null;
  }
}

function nameOf({ form, sourceId }: ForeignUser, { email }: UserCreateRequest): string | null {
  const address = email ? normaliseEmail(email) : null;
  if (address) return `email ${address.normal}`;
  return sourceId === null ? null : `${form} ${sourceId}`;
}

function problemOf({ message, details }: ApiError): string {
  const { fields = [] } = (details.payload ?? {}) as { fields?: { field: string; message: string }[] };
  return fields.map((one) => `${one.field} ${one.message}`).join('; ') || message;
}
