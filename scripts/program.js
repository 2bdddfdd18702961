/**
 * Runs a one-file program from its V8 code cache, made at build time. Without it V8 compiles every function on its first
 * call: a start takes longer, and memory used for compiling is not returned. The build copies this file beside the programs.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** What a program calls its folder, and how it resolves the name of a package as an ECMAScript module does. */
export const FOLDER = '__programFolder';
export const RESOLVE = '__programResolve';

/** Wraps a CommonJS module in the usual function. */
export const wrapped = (source) =>
  `(function (exports, require, module, __filename, __dirname, ${FOLDER}, ${RESOLVE}) {${source}\n})`;

export const codeOf = (program) => `${program}.code`;

/**
 * Loads a program and returns its exports. A code cache made by another V8 version or with other flags is ignored.
 */
export function load(program) {
  const code = codeOf(program);
  return evaluate(program, compile(program, existsSync(code) ? readFileSync(code) : undefined));
}

/** Writes the code cache of a program beside it, including all functions called while it loads. */
export function keepCode(program) {
  const script = compile(program);
  evaluate(program, script);
  writeFileSync(codeOf(program), script.createCachedData());
}

function compile(filename, cachedData) {
  // The file is ASCII; read as Latin-1, V8 stores one byte per character.
  return new Script(readFileSync(filename, 'latin1'), { filename, cachedData });
}

function evaluate(program, script) {
  const module = { exports: {} };
  const folder = dirname(program);
  const resolve = (name) => import.meta.resolve(name);
  script.runInThisContext()(module.exports, createRequire(program), module, program, folder, folder, resolve);
  return module.exports;
}
