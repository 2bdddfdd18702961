import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import type { EnvironmentId, Executor } from '../../../database/index.js';
import type { Grants } from '../../sessions/session-tokens.js';
import type { FullUser } from '../../users/full-user.js';
import type { Voucher } from '../../vocabulary/voucher.js';

/** A person who has proven their identity and is about to receive tokens, or whose account is about to change hands. */
export interface Admission {
  environmentId: EnvironmentId;
  user: FullUser;
  /** Whether this sign-in created the user. */
  created: boolean;
  /** Authentication methods of the proof. A refresh has no proof of its own: it gets the session's methods, or none. */
  amr: readonly string[];
  /** Who vouches for the person besides the proof; absent on a refresh. */
  voucher?: Voucher | undefined;
  /**
   * A refresh renews an admitted sign-in. In a meeting, somebody signed in as another user has proven a credential of
   * this user and would take over what this user has; this requires everything a sign-in as this user would.
   */
  occasion: 'sign-in' | 'refresh' | 'meeting';
  client: ClientOrigin;
  /** Whether the preparation requested with {@link PreparationNeeded} is done; it is not repeated. */
  prepared?: boolean;
}

/**
 * Thrown by a rule that needs an external answer, which must not be awaited inside a transaction: the sign-in is rolled
 * back, `prepare` is awaited outside, and the sign-in is retried once with `prepared` set.
 */
export class PreparationNeeded extends Error {
  override readonly name = 'PreparationNeeded';

  constructor(readonly prepare: () => Promise<unknown>) {
    super('A rule has to prepare its answer outside of the transaction.');
  }
}

/** Runs `attempt`, and retries it once after the preparation that a rule requested. */
export async function withPreparation<T>(attempt: (prepared: boolean) => Promise<T>): Promise<T> {
  try {
    return await attempt(false);
  } catch (error) {
    if (!(error instanceof PreparationNeeded)) throw error;
    await error.prepare();
    return attempt(true);
  }
}

type Added = Partial<Grants> | null;

/** The answer of a rule that needs only its own statements to decide. */
export class Undecided {
  /**
   * @param decide called once, right after the statements that write the session, so that its first statement travels
   *   with them. Refuses as {@link SignInCheck.check} does, which rolls back the session with everything else.
   */
  constructor(readonly decide: () => Promise<Added>) {}
}

/** A rule about who may sign in and with which permissions, such as a gate or an allowlist. */
export abstract class SignInCheck {
  /**
   * @param on the transaction of the sign-in, so that a refusal leaves nothing behind; the pool on a refresh
   * @returns what the rule adds to the token
   * @throws ApiError 403, which may name the refused wallet or email
   */
  abstract check(admission: Admission, on: Executor): Promise<Added | Undecided>;

  /** The lists that it would add by now, for the profile that a user reads. Must ask the database only. */
  listsOf(_environmentId: EnvironmentId, _user: FullUser): Promise<readonly string[]> {
    return Promise.resolve([]);
  }
}

/** The rules in registration order; the first refusal decides. */
@Injectable()
export class SignInChecks {
  private readonly checks: SignInCheck[] = [];

  register(check: SignInCheck): void {
    this.checks.push(check);
  }

  async run(admission: Admission, on: Executor): Promise<Grants> {
    return (await this.ask(admission, on))();
  }

  /** The lists of all rules, as a sign-in would have them. */
  async listsOf(environmentId: EnvironmentId, user: FullUser): Promise<string[]> {
    const lists = await Promise.all(this.checks.map((rule) => rule.listsOf(environmentId, user)));
    return [...new Set(lists.flat())];
  }

  /**
   * Refuses at once if a rule can do so without a statement.
   * @returns decides the rest
   */
  async ask(admission: Admission, on: Executor): Promise<() => Promise<Grants>> {
    const said: (Added | Undecided)[] = [];
    const unprepared: PreparationNeeded[] = [];
    for (const rule of this.checks) {
      try {
        said.push(await rule.check(admission, on));
      } catch (error) {
        if (error instanceof PreparationNeeded) {
          unprepared.push(error);
          continue;
        }
        // An earlier rule may be about to refuse.
        await decideAll(said);
        throw error;
      }
    }
    if (unprepared.length === 0) return () => decideAll(said);
    await decideAll(said);
    // All preparations run together, with a single retry of the sign-in.
    throw new PreparationNeeded(() => Promise.all(unprepared.map((each) => each.prepare())));
  }
}

async function decideAll(said: readonly (Added | Undecided)[]): Promise<Grants> {
  const scopes = new Set<string>();
  const lists = new Set<string>();
  for (const one of said) {
    const added = one instanceof Undecided ? await one.decide() : one;
    for (const scope of added?.scopes ?? []) scopes.add(scope);
    for (const list of added?.lists ?? []) lists.add(list);
  }
  return { scopes: [...scopes], lists: [...lists] };
}
