import type { SourceFile } from './source-file.js';
import { isForTests } from './source-file.js';

/** Files that keep context outside of call arguments, except those in `allowed` (path to reason). */
export const findHiddenContext = (files: readonly SourceFile[], allowed: Record<string, string>): string[] =>
  files
    .filter((file) => !isForTests(file) && /\bAsyncLocalStorage\b|async_hooks|\bScope\.REQUEST\b/.test(file.text))
    .map(({ path }) => path)
    .filter((path) => !(path in allowed));
