import { describe, expect, it } from '@jest/globals';
import { parseIfMatch } from './settings-version-header.js';

describe('If-Match', () => {
  it.each([
    [undefined, null],
    ['*', null],
    ['"7"', 7],
    [' "123456789" ', 123_456_789],
  ])('%s names version %s', (header, version) => {
    expect(parseIfMatch(header)).toBe(version);
  });

  it.each(['', '7', '"0"', '"07"', '"-1"', 'W/"7"', '"7", "8"', '"1234567890"', '"a"', '"7'])(
    '%s is refused',
    (header) => {
      expect(() => parseIfMatch(header)).toThrow(expect.objectContaining({ status: 400, code: 'validation_failed' }));
    },
  );
});
