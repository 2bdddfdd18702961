import { Injectable } from '@nestjs/common';
import { OwnerResolver, type DashboardPrincipal } from '../../auth/index.js';
import { SessionsRepository } from './sessions.repository.js';

/** Resolves the environment of a session whose path does not name it. */
@Injectable()
export class SessionOwner extends OwnerResolver {
  constructor(private readonly sessions: SessionsRepository) {
    super();
  }

  /** A token reaches only its own environment; the operation itself checks that the session exists. */
  override async findOwner(sessionId: string, caller: DashboardPrincipal): Promise<{ environmentId: string } | null> {
    if (caller.kind === 'environmentToken') return { environmentId: caller.environmentId };
    return this.sessions.findOwner(sessionId, caller.userId);
  }
}
