/**
 * A program of one file, run from the code that V8 made of it at the build. Without that code V8 compiles every function when
 * it is called for the first time: a start takes longer, and what compiling needed stays in memory. The build copies this
 * beside the programs.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** A module of CommonJS as a function of what such a module is given. */
export const wrapped = (source) => `(function (exports, require, module, __filename, __dirname) {${source}\n})`;

export const codeOf = (program) => `${program}.code`;

/**
 * What a program exports. Code of another version of V8, or for other settings of it, is left alone: then the program is
 * compiled as if there were none.
 */
export function load(program) {
  const code = codeOf(program);
  return evaluate(program, compile(program, existsSync(code) ? readFileSync(code) : undefined));
}

/** Keeps the code of a program beside it, with all functions that are called while it is loaded. */
export function keepCode(program) {
  const script = compile(program);
  evaluate(program, script);
  writeFileSync(codeOf(program), script.createCachedData());
}

function compile(filename, cachedData) {
  // It has no character beyond ASCII: V8 keeps one byte for each.
  return new Script(readFileSync(filename, 'latin1'), { filename, cachedData });
}

function evaluate(program, script) {
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(program), module, program, dirname(program));
  return module.exports;
}
