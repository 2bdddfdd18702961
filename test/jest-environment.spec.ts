import { describe, expect, it } from '@jest/globals';
import ProcessEnvironment from '../scripts/jest/environment.js';

const surroundings = () => new ProcessEnvironment({ projectConfig: { fakeTimers: {} } });

describe('the surroundings of a suite', () => {
  it('puts the environment, the folder, the console and mocks back when it is over', async () => {
    const before = { env: { ...process.env }, directory: process.cwd(), console: globalThis.console, clock: Date.now };
    const over = surroundings();
    process.env['GATEHOUSE_PLANTED'] = 'by a suite';
    delete process.env['PATH'];
    process.chdir('/');
    globalThis.console = Object.create(before.console);
    over.moduleMocker.spyOn(Date, 'now').mockReturnValue(0);
    await over.teardown();
    expect({ ...process.env }).toEqual(before.env);
    expect(process.cwd()).toBe(before.directory);
    expect(globalThis.console).toBe(before.console);
    expect(Date.now).toBe(before.clock);
  });
});
