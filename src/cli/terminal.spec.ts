import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { complain, inLine, say } from './terminal.js';

const SHOWN = String.raw`a\u001b[31mb\u0007c\u009bd\u202ee\u2066f\u200fg\u2028h`;
const SENT: unknown = JSON.parse(`"${SHOWN}"`);

describe('what a command prints', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each([
    ['log', say],
    ['error', complain],
  ] as const)('moves no cursor and turns no text around (%s)', (method, print) => {
    const printed = jest.spyOn(console, method).mockImplementation(() => undefined);
    print(`${String(SENT)}\n\tand é 名 as they are`);
    expect(printed.mock.calls).toEqual([[`${SHOWN}\n\tand é 名 as they are`]]);
  });

  it('stays in its line, with what strangers have named', () => {
    expect(inLine('a\nb\tc')).toBe(String.raw`a\nb\tc`);
    expect(inLine('a b é')).toBe('a b é');
  });

  it('is the same JSON as before, where it is JSON', () => {
    const printed = jest.spyOn(console, 'log').mockImplementation(() => undefined);
    say(JSON.stringify({ name: SENT }, null, 2));
    expect(JSON.parse(printed.mock.calls[0]![0] as string)).toEqual({ name: SENT });
  });
});
