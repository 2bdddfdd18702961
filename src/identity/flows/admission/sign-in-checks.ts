import { Injectable } from '@nestjs/common';
import type { ClientOrigin } from '../../../auth/index.js';
import type { EnvironmentId, Executor } from '../../../database/index.js';
import type { Grants } from '../../sessions/session-tokens.js';
import type { FullUser } from '../../users/full-user.js';
import type { Voucher } from '../../vocabulary/voucher.js';

/** Somebody who has proven who they are and is about to receive tokens, or whose account is about to be somebody else's. */
export interface Admission {
  environmentId: EnvironmentId;
  user: FullUser;
  /** Whether this sign-in created the user. */
  created: boolean;
  /** What the proof rests on. A refresh has none of its own: with it come the methods of the session, or nothing. */
  amr: readonly string[];
  /** Who answers for the person beside the proof; a refresh has none. */
  voucher?: Voucher | undefined;
  /**
   * A refresh renews what an earlier sign-in admitted. At a meeting somebody who is signed in as another user has proven a
   * credential of this one, and takes what this one has: only what would let them in lets them do so.
   */
  occasion: 'sign-in' | 'refresh' | 'meeting';
  client: ClientOrigin;
  /** Whether what a rule asked for with {@link PreparationNeeded} has been done; it is not done again. */
  prepared?: boolean;
}

/**
 * Thrown by a rule that needs an answer from elsewhere, which nobody waits for in a transaction: the sign-in is undone,
 * `prepare` is awaited outside, and the sign-in is tried once more, with `prepared` set.
 */
export class PreparationNeeded extends Error {
  override readonly name = 'PreparationNeeded';

  constructor(readonly prepare: () => Promise<unknown>) {
    super('A rule has to prepare its answer outside of the transaction.');
  }
}

/** Runs `attempt`, and once more after the preparation that a rule has asked for. */
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

/** What a rule answers that needs no more than statements of its own to decide. */
export class Undecided {
  /**
   * @param decide called once, right behind the statements that write the session, so that what it sends first travels with
   *   them. Refuses as {@link SignInCheck.check} does, which undoes the session with everything else.
   */
  constructor(readonly decide: () => Promise<Added>) {}
}

/** One rule about who may come in and with which permissions, such as a gate or an allowlist. */
export abstract class SignInCheck {
  /**
   * @param on the transaction of the sign-in, so that a refusal leaves nothing behind; the pool on a refresh
   * @returns what the rule adds to the token
   * @throws ApiError 403 that may name the wallet or the email refused
   */
  abstract check(admission: Admission, on: Executor): Promise<Added | Undecided>;
}

/** The rules in the order in which contexts registered them; the first refusal decides. */
@Injectable()
export class SignInChecks {
  private readonly checks: SignInCheck[] = [];

  register(check: SignInCheck): void {
    this.checks.push(check);
  }

  async run(admission: Admission, on: Executor): Promise<Grants> {
    return (await this.ask(admission, on))();
  }

  /**
   * Whoever can be refused without a statement of the rule is refused here.
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
        // A rule before it may be about to refuse.
        await decideAll(said);
        throw error;
      }
    }
    if (unprepared.length === 0) return () => decideAll(said);
    await decideAll(said);
    // What several rules have to find out is found out at once, and the sign-in tried again one time.
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
