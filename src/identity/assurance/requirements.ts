import { Injectable } from '@nestjs/common';
import { COMPLETE_SCOPE, isReservedScope, PARTIAL_SCOPES, type PartialScope } from '../../auth/index.js';
import type { EnvironmentId, Executor } from '../../database/index.js';
import type { Session } from '../sessions/session.entity.js';
import type { Grants } from '../sessions/session-tokens.js';
import type { FullUser } from '../users/full-user.js';

/** A session about to receive tokens. */
export interface AssuranceSubject {
  environmentId: EnvironmentId;
  user: FullUser;
  /** Its `amr` states what has been proven so far. */
  session: Session;
  /** Whether the session was just opened or continues. */
  occasion: 'sign-in' | 'refresh';
}

/** What an outstanding requirement adds to the response. */
export interface Outstanding {
  /** For the second factor. */
  mfaToken?: string;
}

/** A step that a session may have to take before it is complete, such as a second factor. */
export abstract class AssuranceRequirement {
  /** The token's scope while the step is outstanding. */
  abstract readonly scope: PartialScope;

  /**
   * Called whenever tokens are issued: at sign-in, at refresh, after a profile change.
   * @returns null if it is met or not required
   */
  abstract outstanding(subject: AssuranceSubject, on: Executor): Promise<Outstanding | null>;

  /**
   * Whether the environment requires the step of everybody, and users complete it by email. Such an account cannot be
   * taken over with another proof alone. Not called in a transaction.
   */
  isTakenByMail(_environmentId: EnvironmentId): Promise<boolean> {
    return Promise.resolve(false);
  }
}

/** The scopes and lists of a token, plus additions to the response. */
export interface AssuredGrants extends Grants {
  outstanding: Outstanding | null;
}

/** The steps registered by contexts. A session is complete if none is outstanding. */
@Injectable()
export class AssuranceRequirements {
  private readonly requirements: AssuranceRequirement[] = [];

  register(requirement: AssuranceRequirement): void {
    this.requirements.push(requirement);
    this.requirements.sort((a, b) => PARTIAL_SCOPES.indexOf(a.scope) - PARTIAL_SCOPES.indexOf(b.scope));
  }

  /** Must not be called in a transaction. */
  async areTakenByMail(environmentId: EnvironmentId): Promise<boolean> {
    const answers = await Promise.all(this.requirements.map((each) => each.isTakenByMail(environmentId)));
    return answers.includes(true);
  }

  /** While a step is outstanding, the token has only its scope: what the rules grant is for complete sessions. */
  async apply(subject: AssuranceSubject, granted: Grants, on: Executor): Promise<AssuredGrants> {
    for (const requirement of this.requirements) {
      const outstanding = await requirement.outstanding(subject, on);
      if (outstanding) return { scopes: [requirement.scope], lists: granted.lists, outstanding };
    }
    const scopes = [COMPLETE_SCOPE, ...granted.scopes.filter((scope) => !isReservedScope(scope))];
    return { scopes, lists: granted.lists, outstanding: null };
  }
}
