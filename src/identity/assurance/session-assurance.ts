import { Injectable } from '@nestjs/common';
import { COMPLETE_SCOPE, type ElevatedScope } from '../../auth/index.js';
import { Database, type EnvironmentId } from '../../database/index.js';
import type { Session } from '../sessions/session.entity.js';
import type { Grants } from '../sessions/session-tokens.js';
import { Elevations } from './elevations.js';
import { AssuranceRequirements, type AssuranceSubject, type AssuredGrants } from './requirements.js';

/** A proof just given by the caller, and the scopes it should additionally count for. */
export interface Elevation {
  scopes: readonly ElevatedScope[];
  provenAt: Date;
}

/** The assurance of a session, evaluated whenever its tokens are issued. */
@Injectable()
export class SessionAssurance {
  constructor(
    private readonly requirements: AssuranceRequirements,
    private readonly elevations: Elevations,
    private readonly database: Database,
  ) {}

  apply(subject: AssuranceSubject, granted: Grants): Promise<AssuredGrants> {
    return this.requirements.apply(subject, granted, this.database);
  }

  /** Null if nothing is requested, while a step of the sign-in is outstanding, and for a proof that is not fresh. */
  async elevate(
    environmentId: EnvironmentId,
    { id, userId }: Session,
    { scopes, provenAt }: Elevation,
    assured: readonly string[],
  ): Promise<string | null> {
    if (scopes.length === 0 || !assured.includes(COMPLETE_SCOPE)) return null;
    return this.elevations.issue(environmentId, { userId, sessionId: id }, scopes, provenAt);
  }
}
