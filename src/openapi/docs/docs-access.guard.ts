import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { STRATEGIES } from '../../auth/index.js';
import { unauthorized } from '../../common/errors/index.js';
import { Config } from '../../config/index.js';

const BASIC = /^Basic +([\w+/=-]+)$/i;

/** Accepts a personal token as the password of HTTP Basic (RFC 7617), which browsers can prompt for. */
function acceptBasic(request: Request): void {
  const encoded = BASIC.exec(request.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return;
  const pair = Buffer.from(encoded, 'base64').toString();
  request.headers.authorization = `Bearer ${pair.slice(pair.indexOf(':') + 1)}`;
}

/** In production only members may read the documents, with a personal token or a session. */
@Injectable()
export class DocsAccessGuard
  extends AuthGuard([STRATEGIES.personalToken, STRATEGIES.dashboardSession])
  implements CanActivate
{
  constructor(private readonly config: Config) {
    super({ session: false, property: 'principal' });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    if (!this.config.isProduction) return true;
    acceptBasic(context.switchToHttp().getRequest<Request>());
    return (await super.canActivate(context)) as boolean;
  }

  override handleRequest<T>(error: unknown, principal: T | false): T {
    if (error) throw error;
    if (!principal) throw unauthorized();
    return principal;
  }
}
