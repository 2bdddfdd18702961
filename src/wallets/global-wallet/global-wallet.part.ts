import { Injectable } from '@nestjs/common';
import type { EnvironmentKind } from '../../auth/index.js';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import {
  differences,
  EnvironmentPart,
  EnvironmentParts,
  parseOrigin,
  type PartChange,
  type PartPlan,
  type PartState,
  type PartTerms,
} from '../../environments/index.js';
import type { Actor } from '../../organizations/index.js';
import type { AccessControlType } from './access-control.dto.js';
import { AccessControlService } from './access-control.service.js';
import { AccessControlsRepository } from './access-controls.repository.js';
import type { Appearance } from './appearance.js';
import { DomainsRepository } from './domains.repository.js';
import { GlobalWalletService } from './global-wallet.service.js';
import { GlobalWalletsRepository } from './global-wallets.repository.js';

interface AccessControl {
  type: AccessControlType;
  domains: string[];
}

const STAYS = 'it can be disabled, and not taken away';

/**
 * The appearance of the global wallet, and its access control with the complete list of sites: part of a list would
 * admit different sites. Whether they are enabled is decided in each environment separately.
 */
@Injectable()
export class GlobalWalletPart extends EnvironmentPart {
  override readonly name = 'globalWallet';

  constructor(
    private readonly wallets: GlobalWalletsRepository,
    private readonly controls: AccessControlsRepository,
    private readonly domains: DomainsRepository,
    private readonly appearance: GlobalWalletService,
    private readonly access: AccessControlService,
    parts: EnvironmentParts,
  ) {
    super();
    parts.register(this);
  }

  override async read(environmentId: EnvironmentId, tx: Transaction): Promise<PartState> {
    const state = new Map<string, unknown>();
    const wallet = await this.wallets.hold(environmentId, tx);
    if (wallet) state.set('appearance', wallet.appearance);
    const control = await this.controls.hold(environmentId, tx);
    if (!control) return state;
    const domains = (await this.domains.listAll(environmentId, tx)).map(({ domain }) => domain).sort();
    return state.set('accessControl', { type: control.type, domains } satisfies AccessControl);
  }

  /** What the source lacks as a whole is kept; sites that the target environment may not list are left out. */
  override plan(from: PartState, to: PartState, terms: PartTerms): PartPlan {
    const { state, left } = fitting(from, terms.targetKind);
    const plan = differences(state, to, { prune: false });
    return { changes: plan.changes, left: [...plan.left.map(({ key }) => ({ key, reason: STAYS })), ...left] };
  }

  override async apply(
    environmentId: EnvironmentId,
    changes: readonly PartChange[],
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    for (const { key, after } of changes) {
      if (key === 'appearance') await this.dress(environmentId, after as Appearance, actor, tx);
      else await this.admit(environmentId, after as AccessControl, actor, tx);
    }
  }

  private async dress(
    environmentId: EnvironmentId,
    appearance: Appearance,
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const row = await this.wallets.hold(environmentId, tx);
    if (row) await this.appearance.replace(environmentId, row, appearance, actor, tx);
    else await this.appearance.insert(environmentId, appearance, actor, tx);
  }

  /** Removes old sites first, to make room for the new ones. */
  private async admit(
    environmentId: EnvironmentId,
    { type, domains }: AccessControl,
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const present = await this.controls.hold(environmentId, tx);
    const row = present ?? (await this.access.insert(environmentId, type, actor, tx));
    await this.access.retype(environmentId, row, type, actor, tx);
    const named = await this.domains.listAll(environmentId, tx);
    for (const { id, domain } of named) {
      if (!domains.includes(domain)) await this.access.removeDomain(environmentId, row.id, id, actor, tx);
    }
    for (const domain of domains) {
      if (named.some((one) => one.domain === domain)) continue;
      await this.access.insertDomain(environmentId, row.id, domain, actor, tx);
    }
  }
}

/** The state without the sites that an environment of this kind may not list. */
function fitting(from: PartState, kind: EnvironmentKind): { state: PartState; left: PartPlan['left'] } {
  const control = from.get('accessControl') as AccessControl | undefined;
  if (!control) return { state: from, left: [] };
  const left = control.domains.flatMap((domain) => {
    const reason = parseOrigin(domain, kind).refusal;
    return reason === undefined ? [] : [{ key: `accessControl ${domain}`, reason }];
  });
  const domains = control.domains.filter((domain) => parseOrigin(domain, kind).refusal === undefined);
  return { state: new Map([...from, ['accessControl', { ...control, domains }]]), left };
}
