import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

/** Says in each answer where it was made, for those who look for a slow region. */
@Injectable()
export class ServedBy implements NestMiddleware {
  use(_request: Request, response: Response, next: NextFunction): void {
    response.setHeader('X-Served-By', 'eu-west');
    next();
  }
}
