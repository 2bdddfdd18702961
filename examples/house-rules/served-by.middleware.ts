import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/** Adds a header to each response that names its origin, to track down a slow region. */
@Injectable()
export class ServedBy implements NestMiddleware {
  use(_request: Request, response: Response, next: NextFunction): void {
    response.setHeader('X-Served-By', 'eu-west');
    next();
  }
}
