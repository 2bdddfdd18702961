import { Injectable } from '@nestjs/common';
import {
  Database,
  ScopedRepository,
  asSystem,
  scopedStatement,
  statementFamily,
  violatedConstraint,
  type EnvironmentId,
  type Executor,
  type Statement,
  type Transaction,
} from '../../database/index.js';
import {
  CREDENTIAL_COLUMNS,
  CREDENTIAL_RECORD,
  credentialRows,
  type NewCredential,
} from '../credentials/new-credential.js';
import { CLAIM_OF_IDENTIFIER, valuesOfIdentifier, type Claim } from '../credentials/identifier-claims.repository.js';
import type { IdentifierKey } from '../credentials/identifier-key.js';
import { customFieldDataNotUnique } from '../custom-fields/custom-field.errors.js';
import { CUSTOM_FIELD_VALUE_UNIQUE } from '../custom-fields/custom-field-value.entity.js';
import { VALUES_OF_NEW_USER, valuesOfUser } from '../custom-fields/value-registry.js';
import { fullUserOf, type FullUser, type UserRow } from './full-user.js';
import { STORED_COLUMNS, storedChanges, storedValues, type StoredProfile } from './profile-columns.js';
import { UserFacets } from './user-facets.js';
import { insertedSelection, userSelection, type UserView } from './user-selection.js';
import { UserEntity } from './user.entity.js';

const STORED = Object.values(STORED_COLUMNS);

/**
 * Inserts the user and its credentials and reads both, in one round trip.
 * @param kept the part of the statement that stores the metadata
 */
const inserting =
  (kept: string) =>
  (name: string, selection: string): Statement =>
    scopedStatement(
      name,
      `WITH u AS (
         INSERT INTO users (environment_id, id, ${STORED.join(', ')})
         VALUES ($1, $2, ${STORED.map((_, at) => `$${at + 4}`).join(', ')}) RETURNING *
       ), c AS (
         INSERT INTO credentials (environment_id, user_id, ${CREDENTIAL_COLUMNS.join(', ')})
         SELECT $1, $2, ${CREDENTIAL_COLUMNS.map((column) => `r.${column}`).join(', ')}
         FROM jsonb_to_recordset($3::jsonb) AS r (${CREDENTIAL_RECORD}) RETURNING *
       )${kept}
       SELECT ${selection} FROM u`,
    );

const insertStatement = statementFamily('users.insert', inserting(''));
const insertWithMetadata = statementFamily('users.insertWithMetadata', inserting(`, ${VALUES_OF_NEW_USER}`));

const readStatement = statementFamily('users.read', (name, selection) =>
  scopedStatement(name, `SELECT ${selection} FROM users u WHERE u.environment_id = $1 AND u.id = $2`),
);

const listStatement = statementFamily('users.readMany', (name, selection) =>
  scopedStatement(name, `SELECT ${selection} FROM users u WHERE u.environment_id = $1 AND u.id = ANY ($2::uuid[])`),
);

/**
 * Reads the user together with a proven claim, so that a sign-in needs one statement. `OFFSET 0` makes PostgreSQL find
 * the row before it assembles the user: in small environments the planner would assemble every user first and then pick
 * the one with the claim.
 */
const claimedStatement = statementFamily('users.readClaimed', (name, selection) =>
  scopedStatement(
    name,
    `SELECT claim.*, theirs.* FROM (SELECT ${CLAIM_OF_IDENTIFIER}) AS claim LEFT JOIN LATERAL (
       SELECT ${selection} FROM (
         SELECT * FROM users WHERE environment_id = $1 AND id = claim."userId" AND claim."isProven" OFFSET 0) AS u
     ) AS theirs ON true`,
  ),
);

const UPDATE = scopedStatement(
  'users.update',
  `WITH u AS (
     UPDATE users u SET updated_at = now(), (${STORED.join(', ')}) =
       (SELECT ${STORED.map((column) => `r.${column}`).join(', ')} FROM jsonb_populate_record(u, $3::jsonb) r)
     WHERE u.environment_id = $1 AND u.id = $2 RETURNING u.id, u.metadata
   ), ${valuesOfUser("$3::jsonb ? 'metadata'")}
   SELECT id FROM u`,
);

const LOCK = scopedStatement(
  'users.lock',
  'SELECT id FROM users WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE',
);

const EXISTS = scopedStatement('users.find', 'SELECT id FROM users WHERE environment_id = $1 AND id = $2');

const PEOPLE = asSystem('members of every organization are users of the one console environment').statement(
  'users.listPeople',
  `SELECT u.id, u.alias, u.first_name AS "firstName", u.last_name AS "lastName", u.email
   FROM environments e JOIN users u ON u.environment_id = e.id AND u.id = ANY ($1::uuid[])
   WHERE e.kind = 'console'`,
);

const LOCK_PERSON = asSystem('a person is locked whatever organizations they are in').statement(
  'users.lockPerson',
  `SELECT u.id FROM environments e JOIN users u ON u.environment_id = e.id AND u.id = $1
   WHERE e.kind = 'console' FOR NO KEY UPDATE OF u`,
);

/** A dashboard user as member lists show it. */
export interface PersonRow {
  id: string;
  alias: string | null;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
}

/** The owner of an identifier, with the user if the claim is proven. */
export interface ClaimedUser extends Claim {
  user: FullUser | null;
}

const PLAIN: UserView = { sessions: false, oauthMetadata: false };

@Injectable()
export class UsersRepository extends ScopedRepository<UserEntity> {
  constructor(
    database: Database,
    private readonly facets: UserFacets,
  ) {
    super(database, UserEntity);
  }

  /** @throws a unique violation if the id is taken in the environment */
  async insertUser(
    environmentId: EnvironmentId,
    userId: string,
    profile: StoredProfile,
    credentials: readonly NewCredential[],
    tx: Transaction,
  ): Promise<FullUser> {
    const selection = insertedSelection(this.facets.selectionOfNewUser);
    const statement = profile.metadata ? insertWithMetadata(selection) : insertStatement(selection);
    const values = [environmentId, userId, credentialRows(credentials), ...storedValues(profile)];
    const [row] = await tx.rows<UserRow>(statement, values);
    return fullUserOf(row!);
  }

  async findUser(
    environmentId: EnvironmentId,
    userId: string,
    view: UserView,
    on: Executor = this.database,
  ): Promise<FullUser | null> {
    const statement = readStatement(userSelection(view, this.facets.selection));
    const [row] = await on.rows<UserRow>(statement, [environmentId, userId]);
    return row ? fullUserOf(row) : null;
  }

  async findClaimed(environmentId: EnvironmentId, key: IdentifierKey, on: Executor): Promise<ClaimedUser> {
    const statement = claimedStatement(userSelection(PLAIN, this.facets.selection));
    const [row] = await on.rows<Claim & { [K in keyof UserRow]: UserRow[K] | null }>(
      statement,
      valuesOfIdentifier(environmentId, key),
    );
    const { userId, isProven, candidates, ...user } = row!;
    return { userId, isProven, candidates, user: user.id === null ? null : fullUserOf(user as UserRow) };
  }

  async findUsers(environmentId: EnvironmentId, userIds: readonly string[], view: UserView): Promise<FullUser[]> {
    const statement = listStatement(userSelection(view, this.facets.selection));
    return (await this.database.rows<UserRow>(statement, [environmentId, userIds])).map(fullUserOf);
  }

  /**
   * False if there is no such user. Absent fields stay unchanged, null clears.
   * @throws ApiError 422 `custom_field_data_not_unique`
   */
  async updateProfile(
    environmentId: EnvironmentId,
    userId: string,
    changes: StoredProfile,
    tx: Transaction,
  ): Promise<boolean> {
    // A separate statement, so that the next one sees values stored by concurrent changes.
    if (changes.metadata !== undefined) this.hold(environmentId, userId, tx);
    try {
      return (await tx.rows(UPDATE, [environmentId, userId, storedChanges(changes)])).length > 0;
    } catch (error) {
      throw violatedConstraint(error) === CUSTOM_FIELD_VALUE_UNIQUE
        ? customFieldDataNotUnique({ cause: error })
        : error;
    }
  }

  async exists(environmentId: EnvironmentId, userId: string, on: Executor = this.database): Promise<boolean> {
    return (await on.rows(EXISTS, [environmentId, userId])).length > 0;
  }

  async listPeople(userIds: readonly string[]): Promise<PersonRow[]> {
    return this.database.rows<PersonRow>(PEOPLE, [userIds]);
  }

  /**
   * Locks the user before anything of theirs, in the order of whoever unlinks, merges or deletes: otherwise two
   * transactions on one user could deadlock.
   */
  hold(environmentId: EnvironmentId, userId: string, tx: Transaction): void {
    tx.send(LOCK, [environmentId, userId]);
  }

  /** False if there is no such dashboard user. */
  async lockPerson(userId: string, tx: Transaction): Promise<boolean> {
    return (await tx.rows(LOCK_PERSON, [userId])).length > 0;
  }
}
