import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { underMaintenance } from './house-rules.errors.js';

/** Whether writes are refused for a while. */
@Injectable()
export class Maintenance {
  isOn = false;
}

/** Comes after the access guard, so only those who may call at all are told of it. */
@Injectable()
export class MaintenanceGuard implements CanActivate {
  constructor(private readonly maintenance: Maintenance) {}

  canActivate(context: ExecutionContext): boolean {
    const { method } = context.switchToHttp().getRequest<Request>();
    if (this.maintenance.isOn && method !== 'GET') throw underMaintenance({ retryAfterSeconds: 60 });
    return true;
  }
}
