import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { UseRecorder } from './use-recorder.js';

const token = (tokenId: string) => ({ tokenId, environmentId: 'e' });

describe('the use of a token', () => {
  it('is written once for many calls within a minute, for each token', () => {
    const written: string[] = [];
    const recorder = new UseRecorder(async ({ tokenId }) => written.push(tokenId));
    for (let call = 0; call < 100; call++) recorder.record(token('a'));
    recorder.record(token('b'));
    expect(written).toEqual(['a', 'b']);
  });

  it('that cannot be written is logged and harms nobody', async () => {
    const logged: string[] = [];
    Logger.overrideLogger({ log: () => undefined, error: () => undefined, warn: (line: string) => logged.push(line) });
    const recorder = new UseRecorder(() => Promise.reject(new Error('no connection')));
    expect(() => recorder.record(token('a'))).not.toThrow();
    await new Promise(setImmediate);
    expect(logged).toEqual(['The use of token a was not recorded: no connection']);
  });
});
