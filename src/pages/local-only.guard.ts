import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { notFound } from '../common/errors/index.js';
import { Config } from '../config/index.js';
import { isLocalRequest } from './local-request.js';

/** Admits people at the machine itself, in development. To everyone else the page does not exist. */
@Injectable()
export class LocalOnlyGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (this.config.isProduction || !isLocalRequest(request)) throw notFound();
    return true;
  }
}
