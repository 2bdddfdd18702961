import { Injectable, Logger, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { Quickstarts } from './quickstarts.js';

const GONE =
  'The demo was deleted with its project, and its API tokens no longer work. The next start creates a new demo and prints its tokens.';

/** Removes the quick-start file, with its dead tokens, once the demo's project is deleted. */
@Injectable()
export class DemoRemoval implements NestMiddleware {
  private readonly log = new Logger('Demo');

  constructor(private readonly quickstarts: Quickstarts) {}

  use({ path }: Request, response: Response, next: NextFunction): void {
    const projectId = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
    response.once('finish', () => {
      // If this fails, the next start does it.
      if (response.statusCode === 204) void this.sayWhenGone(projectId).catch(() => undefined);
    });
    next();
  }

  private async sayWhenGone(projectId: string): Promise<void> {
    if (await this.quickstarts.removeOf(projectId)) this.log.warn(GONE);
  }
}
