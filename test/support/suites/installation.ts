import { startTestApp, type TestApp } from '../app.js';
import type { ApiOperation } from '../surface/operations.js';
import { operations } from '../surface/operations.js';
import { serviceSurface } from '../surface/registry.js';
import type { WholeSurface } from '../surface/surface.js';

/** What a generated suite runs on: an application, and the operations that this file of it covers. */
export interface Installation {
  start(): Promise<TestApp>;
  surface: WholeSurface;
  operations: readonly ApiOperation[];
}

/** The service as it is: a part of its operations, so that several workers share a suite. */
export const service = (part = 1, parts = 1): Installation => ({
  start: () => startTestApp({ ownDatabase: true, env: { ROLE: 'api' } }),
  surface: serviceSurface,
  operations: partOf(operations, part, parts),
});

/** Every n-th path with its operations, the parts together being all. Neighbours are alike, so they are dealt out like cards. */
export function partOf(all: readonly ApiOperation[], part: number, parts: number): ApiOperation[] {
  const paths = [...new Set(all.map(({ path }) => path))];
  const chosen = new Set(paths.filter((_, at) => at % parts === part - 1));
  return all.filter(({ path }) => chosen.has(path));
}

/** Rows for `it.each`. */
export const titled = (list: readonly ApiOperation[]) => list.map((operation) => [operation.title, operation] as const);
