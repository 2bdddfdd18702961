import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../../database/index.js';
import { EnvironmentParts, type PartState } from '../../environments/index.js';
import { RulesPart } from '../rules/rules.part.js';
import type { GateCreateRequest } from './gate.dto.js';
import type { GateRow } from './gate.entity.js';
import { shown, termsOf, type GateTerms } from './gate-terms.js';
import { GatesRepository, MAX_GATES } from './gates.repository.js';
import { GatesService } from './gates.service.js';

/** The gates of an environment by name. Each environment decides itself which are enabled. */
@Injectable()
export class GatesPart extends RulesPart<GateRow, GateTerms> {
  override readonly name = 'gates';
  protected override readonly rules: GatesService['rules'];

  constructor(
    private readonly gates: GatesRepository,
    { rules }: GatesService,
    parts: EnvironmentParts,
  ) {
    super();
    this.rules = rules;
    parts.register(this);
  }

  override get most(): number {
    return MAX_GATES;
  }

  override async read(environmentId: EnvironmentId, tx: Transaction): Promise<PartState> {
    const rows = await this.lockAll(environmentId, tx);
    return new Map(
      rows.map((row) => {
        const { outcome, scope, rules } = shown(row);
        return [row.name, { outcome, ...(scope !== undefined && { scope }), rules }];
      }),
    );
  }

  protected override lockAll(environmentId: EnvironmentId, tx: Transaction): Promise<GateRow[]> {
    return this.gates.lockAll(environmentId, tx);
  }

  protected override termsOf(name: string, planned: unknown): GateTerms {
    return termsOf({ ...(planned as Omit<GateCreateRequest, 'name'>), name });
  }
}
