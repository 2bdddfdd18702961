import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { EnvironmentPart, EnvironmentParts, type PartChange, type PartState } from '../../environments/index.js';
import type { Actor } from '../../organizations/index.js';
import type { GateCreateRequest } from './gate.dto.js';
import { shown, termsOf } from './gate-terms.js';
import { GatesRepository, MAX_GATES } from './gates.repository.js';
import { GatesService } from './gates.service.js';

/** The gates of an environment by name. Each environment decides itself which are enabled. */
@Injectable()
export class GatesPart extends EnvironmentPart {
  override readonly name = 'gates';

  constructor(
    private readonly gates: GatesRepository,
    private readonly service: GatesService,
    parts: EnvironmentParts,
  ) {
    super();
    parts.register(this);
  }

  override get most(): number {
    return MAX_GATES;
  }

  override async read(environmentId: EnvironmentId, tx: Transaction): Promise<PartState> {
    const rows = await this.gates.lockAll(environmentId, tx);
    return new Map(
      rows.map((row) => {
        const { outcome, scope, rules } = shown(row);
        return [row.name, { outcome, ...(scope !== undefined && { scope }), rules }];
      }),
    );
  }

  /** Removals come first, to make room for additions. */
  override async apply(
    environmentId: EnvironmentId,
    changes: readonly PartChange[],
    actor: Actor,
    tx: Transaction,
  ): Promise<void> {
    const ids = new Map((await this.gates.lockAll(environmentId, tx)).map(({ id, name }) => [name, id]));
    for (const { action, key } of changes) {
      if (action === 'remove') await this.service.remove(environmentId, ids.get(key)!, actor, tx);
    }
    for (const { action, key, after } of changes) {
      if (action === 'remove') continue;
      const terms = termsOf({ ...(after as Omit<GateCreateRequest, 'name'>), name: key });
      if (action === 'add') await this.service.insert(environmentId, terms, actor, tx);
      else await this.service.replace(environmentId, ids.get(key)!, terms, actor, tx);
    }
  }
}
