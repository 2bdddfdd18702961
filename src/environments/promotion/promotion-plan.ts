import { createHash } from 'node:crypto';
import type { EnvironmentId, EnvironmentKind } from '../../auth/index.js';
import { isUuid } from '../../common/ids.js';
import { canonicalJson } from '../../common/canonical-json.js';
import type { LeftItem, PartPlan, PartState } from './part-plan.js';

const VERSION = 1;
const DIGEST = /^[0-9a-f]{64}$/;

/** What is asked for. The ids are scopes once whoever asks has been checked. */
export interface PromotionRequest<Id extends string = EnvironmentId> {
  from: Id;
  to: Id;
  /** Whether the target loses what the source does not have. */
  prune: boolean;
  /** What is left as it is: names of parts, or of what is in them, such as `settings/chains`. */
  except: readonly string[];
}

/** One environment as it is. */
export interface PromotedEnvironment {
  environmentId: string;
  kind: EnvironmentKind;
}

/** All that would change in the target, in a form that is the same for the same two states. */
export interface PromotionPlan {
  version: typeof VERSION;
  from: PromotedEnvironment;
  to: PromotedEnvironment;
  prune: boolean;
  except: string[];
  /** Parts in which nothing differs are not named. */
  parts: PlannedPart[];
  /** SHA-256 over both states and the changes: another digest, another plan. */
  digest: string;
}

/** One part of a plan. While it names something that the target refuses, the plan cannot be applied. */
export type PlannedPart = { part: string } & PartPlan & { refused?: LeftItem[] };

/** The states of one part: of the source and of the target. */
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

/** Sorted, for a Map remembers the order in which it was filled. */
const entriesOf = (state: PartState): [string, unknown][] => [...state].sort(([a], [b]) => (a < b ? -1 : 1));

export const isDigest = (text: string): boolean => DIGEST.test(text);

/** Whether a plan has something to do. */
export const changesOf = (plan: PromotionPlan): number =>
  plan.parts.reduce((sum, part) => sum + part.changes.length, 0);

/** What a plan that was read from somewhere asks for; null when it is none. Its changes are compared, never trusted. */
export function requestOf(plan: unknown): PromotionRequest<string> | null {
  if (typeof plan !== 'object' || plan === null) return null;
  const { version, from, to, prune, except } = plan as Partial<PromotionPlan>;
  if (version !== VERSION || typeof prune !== 'boolean') return null;
  if (!Array.isArray(except) || !except.every((path) => typeof path === 'string')) return null;
  const [source, target] = [from?.environmentId, to?.environmentId];
  if (!isUuid(source) || !isUuid(target)) return null;
  return { from: source, to: target, prune, except };
}
