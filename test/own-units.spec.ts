import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import ts from 'typescript';
import { OWN_UNITS } from './support/architecture/exceptions.js';
import { findOwnUnits } from './support/architecture/own-units.js';

const root = join(import.meta.dirname, '..');
const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
  config: { compilerOptions: object };
};
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);

/** Files of which none exists. */
function virtualProgram(files: Record<string, string>): ts.Program {
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  return ts.createProgram(Object.keys(files), options, {
    ...host,
    fileExists: (path) => path in files || fileExists(path),
    getSourceFile: (path, ...rest) =>
      path in files
        ? ts.createSourceFile(path, files[path]!, ts.ScriptTarget.ES2023, true)
        : getSourceFile(path, ...rest),
  });
}

describe('an operation that takes an Idempotency-Key', () => {
  it('is found to use a unit of work of its own, however far from its handler that is', () => {
    const planted = virtualProgram({
      '/planted.ts': `
        declare const Operation: (options: { idempotent?: boolean }) => MethodDecorator;
        interface Work { run<T>(unit: () => T): T }
        class UnitOfWork implements Work { run<T>(unit: () => T): T { return unit(); } }
        abstract class Rule { abstract check(): void }
        class OwnRule extends Rule {
          constructor(private readonly work: UnitOfWork) { super(); }
          check() { this.work.run(() => 1); }
        }
        class Things {
          constructor(private readonly work: UnitOfWork, private readonly rules: Rule[]) {}
          right(work: Work) { return work.run(() => 1); }
          direct(work: Work) { this.helper(); return work.run(() => 1); }
          given() { return this.right(this.work); }
          ruled(work: Work) { for (const rule of this.rules) rule.check(); return work.run(() => 1); }
          unkeyed() { return this.work.run(() => 1); }
          private helper() { later(() => this.work.run(() => 2)); }
        }
        function later(then: () => void) { then(); }
        export class ThingsController {
          constructor(private readonly things: Things, private readonly work: Work) {}
          @Operation({ idempotent: true }) right() { return this.things.right(this.work); }
          @Operation({ idempotent: true }) direct() { return this.things.direct(this.work); }
          @Operation({ idempotent: true }) given() { return this.things.given(); }
          @Operation({ idempotent: true }) ruled() { return this.things.ruled(this.work); }
          @Operation({}) unkeyed() { return this.things.unkeyed(); }
        }`,
    });
    expect([...findOwnUnits(planted)]).toEqual([
      ['Things.helper', 'ThingsController.direct > Things.direct > Things.helper'],
      ['Things.given', 'ThingsController.given > Things.given'],
      ['OwnRule.check', 'ThingsController.ruled > Things.ruled > OwnRule.check'],
    ]);
  });

  it('uses none, but for what is named with its reason', () => {
    const files = ['src/app.module.ts', 'examples/notes/index.ts'].map((file) => join(root, file));
    const found = findOwnUnits(ts.createProgram(files, options));
    expect([...found].filter(([name]) => !(name in OWN_UNITS))).toEqual([]);
    expect(Object.keys(OWN_UNITS).filter((name) => !found.has(name))).toEqual([]);
  }, 120_000);
});
