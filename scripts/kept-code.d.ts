import type { SourceTextModule, compileFunction } from 'node:vm';

interface Compilers {
  SourceTextModule: typeof SourceTextModule;
  compileFunction: typeof compileFunction;
}

export function keepingCode(vm: Compilers): Compilers;
