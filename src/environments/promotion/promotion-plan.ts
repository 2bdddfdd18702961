import { createHash } from 'node:crypto';
import type { EnvironmentId, EnvironmentKind } from '../../auth/index.js';
import { isUuid } from '../../common/ids.js';
import { canonicalJson } from '../../common/canonical-json.js';
import type { LeftItem, PartPlan, PartState } from './part-plan.js';

const VERSION = 1;
const DIGEST = /^[0-9a-f]{64}$/;

/** The requested promotion. The ids become scopes once the caller has been authorised. */
export interface PromotionRequest<Id extends string = EnvironmentId> {
  from: Id;
  to: Id;
  /** Whether to remove from the target what the source does not have. */
  prune: boolean;
  /** What to skip: names of parts, or of something within them, such as `settings/chains`. */
  except: readonly string[];
}

/** One environment in its current state. */
export interface PromotedEnvironment {
  environmentId: string;
  kind: EnvironmentKind;
}

/** All changes to the target, in a form that is identical for identical states. */
export interface PromotionPlan {
  version: typeof VERSION;
  from: PromotedEnvironment;
  to: PromotedEnvironment;
  prune: boolean;
  except: string[];
  /** Parts without differences are omitted. */
  parts: PlannedPart[];
  /** SHA-256 over both states and the changes: it identifies the plan. */
  digest: string;
}

/** One part of a plan. While it lists changes that the target refuses, the plan cannot be applied. */
export type PlannedPart = { part: string } & PartPlan & { refused?: LeftItem[] };

/** The state of one part in the source and in the target. */
export interface PartStates {
  part: string;
  from: PartState;
  to: PartState;
}

export function sealPlan(
  plan: Omit<PromotionPlan, 'version' | 'digest'>,
  states: readonly PartStates[],
): PromotionPlan {
  const versioned = { version: VERSION, ...plan } as const;
  const sorted = states.map(({ part, from, to }) => ({ part, from: entriesOf(from), to: entriesOf(to) }));
  const digest = createHash('sha256')
    .update(canonicalJson({ ...versioned, states: sorted }))
    .digest('hex');
  return { ...versioned, digest };
}

/** Sorted, because a Map preserves insertion order. */
const entriesOf = (state: PartState): [string, unknown][] => [...state].sort(([a], [b]) => (a < b ? -1 : 1));

export const isDigest = (text: string): boolean => DIGEST.test(text);

/** The number of changes in a plan. */
export const changesOf = (plan: PromotionPlan): number =>
  plan.parts.reduce((sum, part) => sum + part.changes.length, 0);

/** The request in an untrusted plan; null when it is not a plan. Its changes are compared, never applied. */
export function requestOf(plan: unknown): PromotionRequest<string> | null {
  if (typeof plan !== 'object' || plan === null) return null;
  const { version, from, to, prune, except } = plan as Partial<PromotionPlan>;
  if (version !== VERSION || typeof prune !== 'boolean') return null;
  if (!Array.isArray(except) || !except.every((path) => typeof path === 'string')) return null;
  const [source, target] = [from?.environmentId, to?.environmentId];
  if (!isUuid(source) || !isUuid(target)) return null;
  return { from: source, to: target, prune, except };
}
