import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { notFound } from '../common/errors/index.js';
import { Config } from '../config/index.js';
import { isLocalRequest } from './local-request.js';

/** Admits requests from this machine, in development. Everyone else gets a 404. */
@Injectable()
export class LocalOnlyGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (this.config.isProduction || !isLocalRequest(request)) throw notFound();
    return true;
  }
}
