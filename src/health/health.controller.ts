import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Page } from '../auth/index.js';
import { ReadinessService, type Readiness } from './readiness.service.js';

/** What balancers and orchestrators ask. Nothing here needs a credential or tells a secret. */
@Page()
@Controller()
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** The process runs and answers. `host` is the name it was asked by, as proxies passed it on. */
  @Get('healthz')
  alive(@Req() request: Request): { status: 'ok'; host: string | null } {
    return { status: 'ok', host: request.host ?? null };
  }

  /** 200 when requests may be sent here, else 503 with the reasons. */
  @Get('readyz')
  async ready(@Res({ passthrough: true }) response: Response): Promise<Readiness> {
    const readiness = await this.readiness.check();
    if (!readiness.ready) response.status(503);
    return readiness;
  }
}
