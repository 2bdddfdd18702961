import { Injectable, Optional } from '@nestjs/common';
import type { Request } from 'express';
import { Config } from '../../config/index.js';
import { Quickstarts, readQuickstart, type Quickstart } from '../../dev/index.js';
import { isLocalRequest } from '../../pages/index.js';
import type { Examples } from './explorer-document.js';

/** The credentials that the explorer of a development service fills in. */
export interface DemoTokens {
  email: string;
  userToken: string;
  apiToken: string;
  /** The environment of the API token. */
  environmentId: string;
}

/** The quick-start data, served only to local requests in development. */
@Injectable()
export class Demo {
  constructor(
    private readonly config: Config,
    @Optional() private readonly quickstarts: Quickstarts | null,
  ) {}

  /** Null if there is no demo or the caller may not have it. */
  async tokensFor(request: Request): Promise<DemoTokens | null> {
    const quickstart = await this.read(request);
    if (!quickstart) return null;
    const { environments, dashboard } = quickstart;
    const { id: environmentId, apiToken } = environments.sandbox;
    return { ...dashboard, apiToken, environmentId };
  }

  async examplesFor(request: Request): Promise<Examples> {
    const errorPages = `${this.config.publicUrl}/docs/errors`;
    const quickstart = await this.read(request);
    if (!quickstart) return { path: {}, webhookUrl: 'https://example.com/hooks', errorPages };
    const { organizationId, projectId, environments, catcher } = quickstart;
    return {
      // The sandbox of the demo has one social provider.
      path: { environmentId: environments.sandbox.id, organizationId, projectId, providerType: 'github' },
      webhookUrl: catcher,
      errorPages,
    };
  }

  /** Null if the demo's project was deleted, since its tokens no longer work. */
  private async read(request: Request): Promise<Quickstart | null> {
    if (this.config.isProduction || !isLocalRequest(request)) return null;
    const known = readQuickstart(this.config.get('DATA_DIR'));
    const isAlive = known !== null && ((await this.quickstarts?.exists(known)) ?? true);
    return isAlive ? known : null;
  }
}
