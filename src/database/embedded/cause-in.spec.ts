import { describe, expect, it } from '@jest/globals';
import { causeIn } from './cause-in.js';

describe('the cause in the output of PostgreSQL', () => {
  it.each([
    [
      'FATAL:  could not extend file "base/1/1255": No space left on device\nchild process exited with exit code 1\n' +
        'initdb: removing contents of data directory "/proc/self/cwd"\n',
    ],
    [
      'ERROR:  could not write to file "base/1": wrote only 4096 of 8192 bytes\nHINT:  Check free disk space.\n' +
        'FATAL:  checkpoint request failed\nDETAIL:  Consult recent messages in the server log for details.\n',
    ],
  ])('is a full disk, whatever is said last', (output) => {
    expect(causeIn(output)).toBe('the disk is full, so make room there');
  });

  it('is the error itself and not what follows from it', () => {
    const initdb = 'initdb: error: could not access directory "/x": Permission denied\ninitdb: removing contents\n';
    expect(causeIn(initdb)).toBe('could not access directory "/x": Permission denied');
    expect(causeIn('FATAL:  bad\nDETAIL:  worse\nLOG:  shutting down\n')).toBe('bad worse');
    expect(causeIn('something\nelse\n')).toBe('else');
    expect(causeIn('')).toBe('');
  });
});
