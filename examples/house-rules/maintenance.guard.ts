import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { underMaintenance } from './house-rules.errors.js';

/** Whether writes are temporarily refused. */
@Injectable()
export class Maintenance {
  isOn = false;
}

/** Runs after the access guard, so only authorised callers learn about it. */
@Injectable()
export class MaintenanceGuard implements CanActivate {
  constructor(private readonly maintenance: Maintenance) {}

  canActivate(context: ExecutionContext): boolean {
    const { method } = context.switchToHttp().getRequest<Request>();
    if (this.maintenance.isOn && method !== 'GET') throw underMaintenance({ retryAfterSeconds: 60 });
    return true;
  }
}
