import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Config } from '../config/index.js';
import { readQuickstart, type Quickstart } from '../dev/index.js';
import { isLocalRequest } from '../pages/index.js';
import type { Examples } from './explorer-document.js';

/** What the explorer of a development service fills in. */
export interface DemoTokens {
  email: string;
  userToken: string;
  apiToken: string;
  /** The one environment that the API token is of. */
  environmentId: string;
}

/** The quick-start data, for people at the machine of a development service and nobody else. */
@Injectable()
export class Demo {
  constructor(private readonly config: Config) {}

  /** Null when there is no demo or it is not for this caller. */
  tokensFor(request: Request): DemoTokens | null {
    const quickstart = this.read(request);
    if (!quickstart) return null;
    const { environments, dashboard } = quickstart;
    const { id: environmentId, apiToken } = environments.sandbox;
    return { ...dashboard, apiToken, environmentId };
  }

  examplesFor(request: Request): Examples {
    const errorPages = `${this.config.publicUrl}/docs/errors`;
    const quickstart = this.read(request);
    if (!quickstart) return { path: {}, webhookUrl: 'https://example.com/hooks', errorPages };
    const { organizationId, projectId, environments, catcher } = quickstart;
    return {
      path: { environmentId: environments.sandbox.id, organizationId, projectId },
      webhookUrl: catcher,
      errorPages,
    };
  }

  private read(request: Request): Quickstart | null {
    if (this.config.isProduction || !isLocalRequest(request)) return null;
    return readQuickstart(this.config.get('DATA_DIR'));
  }
}
