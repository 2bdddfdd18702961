import type { ModuleMocker } from 'jest-mock';

export default class ProcessEnvironment {
  constructor(given: { projectConfig: { fakeTimers: object } });
  readonly moduleMocker: ModuleMocker;
  teardown(): Promise<void>;
}
