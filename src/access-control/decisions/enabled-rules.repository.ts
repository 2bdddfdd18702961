import { Injectable } from '@nestjs/common';
import { scopedStatement, type EnvironmentId, type Executor } from '../../database/index.js';
import type { HeldRule } from '../gates/gate-rules.js';
import type { AccessOutcome } from '../outcome.js';

const ENABLED = scopedStatement(
  'accessControl.listEnabled',
  `SELECT 'gate' AS kind, id, name, outcome, scope, rules FROM gates
   WHERE environment_id = $1 AND enabled_at IS NOT NULL
   UNION ALL
   SELECT 'allowlist', id, name, outcome, scope, NULL FROM allowlists
   WHERE environment_id = $1 AND enabled_at IS NOT NULL
   ORDER BY kind, id`,
);

/** An enabled gate or allowlist. */
export interface EnabledRule {
  kind: 'gate' | 'allowlist';
  id: string;
  name: string;
  outcome: AccessOutcome;
  scope: string | null;
  /** For a gate; null for an allowlist. */
  rules: HeldRule[] | null;
}

@Injectable()
export class EnabledRulesRepository {
  listEnabled(environmentId: EnvironmentId, on: Executor): Promise<EnabledRule[]> {
    return on.rows<EnabledRule>(ENABLED, [environmentId]);
  }
}
