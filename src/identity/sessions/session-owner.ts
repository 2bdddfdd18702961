import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { SessionsRepository } from './sessions.repository.js';

/** Tells the environment of a session, whose path does not name it. */
@Injectable()
export class SessionOwner extends OwnerResolver {
  constructor(private readonly sessions: SessionsRepository) {
    super();
  }

  /** A token reaches its own environment and no other; whether the session is there, the operation finds out. */
  override async findOwner(sessionId: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    return this.sessions.findOwner(sessionId, caller.userId);
  }
}
