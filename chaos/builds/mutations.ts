import type { SourceEdit } from './source-edit.js';

export interface Mutation {
  readonly title: string;
  /** The fault that is expected to turn red. */
  readonly caughtBy: string;
  readonly edits: readonly SourceEdit[];
}

/** Planted mistakes: a harness that stays green with one of them proves nothing. */
export const MUTATIONS: Readonly<Record<string, Mutation>> = {};
