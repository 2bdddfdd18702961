import { Injectable } from '@nestjs/common';
import { homeOf, roleReaches, StepUp, type DashboardPrincipal } from '../auth/index.js';
import { forbidden } from '../common/errors/index.js';
import { UnitOfWork, type EnvironmentId } from '../database/index.js';
import { ChangeLog } from '../organizations/index.js';
import type { Webhook } from './webhook.dto.js';
import { WEBHOOK_SECRET_REVEALED } from './webhook.events.js';
import { WebhooksService } from './webhooks.service.js';

const FRESH_FOR = 'console:settings:update';

/** Who reveals the secret, and how they are authenticated. */
export interface Revealing {
  caller: DashboardPrincipal;
  elevated: string | null;
}

/** Reading a webhook and seeing its secret are separate rights: with the secret, events can be forged. */
@Injectable()
export class WebhookReveal {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly stepUp: StepUp,
    private readonly work: UnitOfWork,
    private readonly changes: ChangeLog,
  ) {}

  get(
    environmentId: EnvironmentId,
    id: string,
    { includeSecret, ...revealing }: Revealing & { includeSecret: boolean | undefined },
  ): Promise<Webhook> {
    return includeSecret ? this.reveal(environmentId, id, revealing) : this.webhooks.get(environmentId, id);
  }

  /** For callers that may change webhooks; members need a fresh step-up. Recorded in the audit trail. */
  private async reveal(environmentId: EnvironmentId, id: string, { caller, elevated }: Revealing): Promise<Webhook> {
    if (!mayChange(caller)) throw forbidden({ hint: 'Only who may change a webhook may see its secret.' });
    const shown = await this.webhooks.get(environmentId, id);
    if (caller.kind === 'dashboardUser') await this.stepUp.assertFresh(homeOf(caller), caller, FRESH_FOR, elevated);
    const secret = await this.webhooks.secretOf(environmentId, id);
    const change = { event: WEBHOOK_SECRET_REVEALED, resource: { type: 'webhook', id }, before: null, after: null };
    const scope = { environmentId };
    await this.work.run((tx) => this.changes.record({ scope, actor: caller, ...change, data: shown }, tx));
    return { ...shown, secret: secret.reveal() };
  }
}

const mayChange = (caller: DashboardPrincipal): boolean =>
  caller.role !== null &&
  roleReaches(caller.role, 'developer') &&
  (caller.kind !== 'environmentToken' || caller.scopes.includes('environment.webhooks.write'));
