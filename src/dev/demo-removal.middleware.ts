import { Injectable, Logger, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Quickstarts } from './quickstarts.js';

const GONE =
  'The demo is gone with its project, and its API tokens are dead. The next start makes another demo and prints its tokens.';

/** Looks, after a project was deleted, whether it was that of the demo: dead tokens are to stand nowhere. */
@Injectable()
export class DemoRemoval implements NestMiddleware {
  private readonly log = new Logger('Demo');

  constructor(private readonly quickstarts: Quickstarts) {}

  use({ path }: Request, response: Response, next: NextFunction): void {
    const projectId = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    response.once('finish', () => {
      // What cannot be looked up now, the next start looks up.
      if (response.statusCode === 204) void this.sayWhenGone(projectId).catch(() => undefined);
    });
    next();
  }

  private async sayWhenGone(projectId: string): Promise<void> {
    if (await this.quickstarts.removeOf(projectId)) this.log.warn(GONE);
  }
}
