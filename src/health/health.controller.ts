import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { Page } from '../auth/index.js';
import { ReadinessService, type Readiness } from './readiness.service.js';

/** Health endpoints for load balancers and orchestrators. They need no credential and reveal no secret. */
@Page()
@Controller()
export class HealthController {
  constructor(private readonly readiness: ReadinessService) {}

  /** Liveness. `host` is the Host header, as forwarded by proxies. */
  @Get('healthz')
  alive(@Req() request: ExpressRequest): { status: 'ok'; host: string | null } {
    return { status: 'ok', host: request.host ?? null };
  }

  /** Readiness: 200 if requests may be sent here, else 503 with the reasons. */
  @Get('readyz')
  async ready(@Res({ passthrough: true }) response: ExpressResponse): Promise<Readiness> {
    const readiness = await this.readiness.check();
    if (!readiness.ready) response.status(503);
    return readiness;
  }
}
