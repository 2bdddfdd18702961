import { Injectable } from '@nestjs/common';
import { COMPLETE_SCOPE, isReservedScope, PARTIAL_SCOPES, type PartialScope } from '../../auth/index.js';
import type { EnvironmentId, Executor } from '../../database/index.js';
import type { Session } from '../sessions/session.entity.js';
import type { Grants } from '../sessions/session-tokens.js';
import type { FullUser } from '../users/full-user.js';

/** A session that is about to get tokens. */
export interface AssuranceSubject {
  environmentId: EnvironmentId;
  user: FullUser;
  /** With `amr`, what has been proven in it so far. */
  session: Session;
  /** Whether the session has just been opened, or goes on. */
  occasion: 'sign-in' | 'refresh';
}

/** What a requirement that is outstanding adds to the answer. */
export interface Outstanding {
  /** For the second factor. */
  mfaToken?: string;
}

/** A step that a session may have to take before it is complete, such as a second factor. */
export abstract class AssuranceRequirement {
  /** What the token says while it is outstanding. */
  abstract readonly scope: PartialScope;

  /**
   * Asked whenever tokens are made: at sign-in, at refresh, after a change of the profile.
   * @returns null when it is met or not asked for
   */
  abstract outstanding(subject: AssuranceSubject, on: Executor): Promise<Outstanding | null>;

  /**
   * Whether the environment asks everybody for the step, and a mailbox of theirs is what they take it with. Such an account
   * is not taken over by a proof of anything else alone. Not asked in a transaction.
   */
  isTakenByMail(_environmentId: EnvironmentId): Promise<boolean> {
    return Promise.resolve(false);
  }
}

/** Scopes and lists of a token, and what the answer says besides. */
export interface AssuredGrants extends Grants {
  outstanding: Outstanding | null;
}

/** The steps that contexts register. A session is complete when none is outstanding. */
@Injectable()
export class AssuranceRequirements {
  private readonly requirements: AssuranceRequirement[] = [];

  register(requirement: AssuranceRequirement): void {
    this.requirements.push(requirement);
    this.requirements.sort((a, b) => PARTIAL_SCOPES.indexOf(a.scope) - PARTIAL_SCOPES.indexOf(b.scope));
  }

  /** Not to be called in a transaction. */
  async areTakenByMail(environmentId: EnvironmentId): Promise<boolean> {
    const answers = await Promise.all(this.requirements.map((each) => each.isTakenByMail(environmentId)));
    return answers.includes(true);
  }

  /** While a step is outstanding, the token says so and nothing else: what the rules grant is for complete sessions. */
  async apply(subject: AssuranceSubject, granted: Grants, on: Executor): Promise<AssuredGrants> {
    for (const requirement of this.requirements) {
      const outstanding = await requirement.outstanding(subject, on);
      if (outstanding) return { scopes: [requirement.scope], lists: granted.lists, outstanding };
    }
    const scopes = [COMPLETE_SCOPE, ...granted.scopes.filter((scope) => !isReservedScope(scope))];
    return { scopes, lists: granted.lists, outstanding: null };
  }
}
