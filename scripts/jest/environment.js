/** The environment of a suite: the process itself, restored after the suite. */
import { ConsoleLogger, Logger } from '@nestjs/common';
import { ModernFakeTimers, ModuleMocker } from './parts.js';

export default class ProcessEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.before = {
      env: { ...process.env },
      directory: process.cwd(),
      exit: process.exit,
      console: globalThis.console,
    };
  }

  async setup() {
    // An application sets its logger for the whole process, and it may be a quiet one.
    Logger.overrideLogger(new ConsoleLogger());
  }

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    const { env, directory, exit, console } = this.before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    process.exit = exit;
    globalThis.console = console;
    if (process.cwd() !== directory) process.chdir(directory);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Jest asks for the context to run modules in: Node runs them in its own. */
  getVmContext() {
    return null;
  }
}
