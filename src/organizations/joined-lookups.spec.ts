import { describe, expect, it } from '@jest/globals';
import { JoinedLookups } from './joined-lookups.js';

interface Row {
  key: string;
}

/** Answers when it is told to, and remembers what it was asked. */
function asked() {
  const calls: { keys: string[]; answer: PromiseWithResolvers<ReadonlyMap<string, Row>> }[] = [];
  const lookups = new JoinedLookups<string, Row>((keys) => {
    const answer = Promise.withResolvers<ReadonlyMap<string, Row>>();
    calls.push({ keys, answer });
    return answer.promise;
  });
  const settle = async (call: number, ...found: string[]): Promise<void> => {
    calls[call]!.answer.resolve(new Map(found.map((key) => [key, { key }])));
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { calls, lookups, settle };
}

describe('look-ups that are joined', () => {
  it('ask at once for one key, and answer null for what is not there', async () => {
    const { calls, lookups, settle } = asked();
    const both = Promise.all([lookups.find('a'), lookups.find('b')]);
    expect(calls.map(({ keys }) => keys)).toEqual([['a'], ['b']]);
    await settle(0, 'a');
    await settle(1);
    expect(await both).toEqual([{ key: 'a' }, null]);
  });

  it('ask for a thousand keys at the same moment with six statements, four of them at a time', async () => {
    const { calls, lookups, settle } = asked();
    const answers = Promise.all(Array.from({ length: 1_004 }, (_, n) => lookups.find(`k${n}`)));
    expect(calls).toHaveLength(4);
    for (let call = 0; call < 4; call++) await settle(call);
    expect(calls.map(({ keys }) => keys.length)).toEqual([1, 1, 1, 1, 500, 500]);
    for (let call = 4; call < 6; call++) await settle(call, 'k9');
    expect((await answers).filter((row) => row !== null)).toEqual([{ key: 'k9' }]);
  });

  it('tell a failure to those who waited for it alone, and go on', async () => {
    const { calls, lookups, settle } = asked();
    const failing = lookups.find('a');
    calls[0]!.answer.reject(new Error('away'));
    await expect(failing).rejects.toThrow('away');
    const next = lookups.find('a');
    await settle(1, 'a');
    expect(await next).toEqual({ key: 'a' });
  });
});
