/** The runtime of Jest, in a process that keeps the code of modules from one suite to the next. */
import vm from 'node:vm';
import { Runtime } from './jest-parts.js';
import { keepingCode } from './kept-code.js';

// Jest takes both from the module each time it compiles.
Object.assign(vm, keepingCode(vm));

export default Runtime;
