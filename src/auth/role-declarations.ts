import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { operationHandlers } from '../common/http/handlers.js';
import { accessOf } from './access.js';
import { leastRoleOf } from './least-role.js';

/** Refuses to start with an operation whose least role nobody decided, or two places did. */
@Injectable()
export class RoleDeclarations implements OnModuleInit {
  constructor(private readonly modules: ModulesContainer) {}

  onModuleInit(): void {
    for (const { handler } of operationHandlers(this.modules)) {
      if (accessOf(handler)?.audience === 'dashboard') leastRoleOf(handler);
    }
  }
}
