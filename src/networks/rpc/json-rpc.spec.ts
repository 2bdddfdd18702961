import { describe, expect, it } from '@jest/globals';
import type { OutboundHttp } from '../../outbound/index.js';
import { askNode, isOfNode } from './json-rpc.js';
import { lamportsOf } from './solana-answers.js';

/** A node that answers with a text. */
const saying = (text: string, status = 200): OutboundHttp =>
  ({
    send: async () => ({ status, headers: {}, body: Buffer.from(text), truncated: false, durationMs: 1 }),
  }) as Partial<OutboundHttp> as OutboundHttp;
const ask = async (text: string, status?: number) =>
  (await askNode(saying(text, status), 'https://node.example/canary', [{ method: 'm', params: [] }], 100))[0]!;
const result = (value: string): string => `{"jsonrpc":"2.0","id":0,"result":${value}}`;

describe('what a node answers', () => {
  it.each([
    ['9007199254740991', 9_007_199_254_740_991n],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['18446744073709551615', 18_446_744_073_709_551_615n],
  ])('keeps every digit of %s lamports', async (text, lamports) => {
    const value = (await ask(result(`{"value":${text},"rentEpoch":18446744073709551615}`))).result as {
      value: unknown;
    };
    expect(lamportsOf(value.value)).toBe(lamports);
  });

  it.each(['-1', '1.5', '1e30', '18446744073709551616', 'null', '"5"', '{}'])('of lamports is not %s', async (text) => {
    const value = (await ask(result(text))).result;
    expect(() => lamportsOf(value)).toThrow('lamports');
  });

  it('is an error in words without characters that nobody sees', async () => {
    const text = '{"jsonrpc":"2.0","id":0,"error":{"code":-32000,"message":"no\\u202e\\u0007 gas"}}';
    expect((await ask(text)).error).toMatchObject({ code: -32000, message: 'no gas' });
  });

  it.each(['[]', '{}', 'null', '7', '[null]', result('1').replace('"id":0', '"id":1'), '{"id":0}'])(
    'is garbage where it is %s, whatever its status',
    async (text) => {
      for (const status of [200, 500]) {
        const asked = ask(text, status);
        await expect(asked).rejects.toMatchObject({ name: 'ChainUnreadableError', reason: 'garbage' });
        await expect(asked).rejects.not.toThrow(/canary/);
      }
    },
  );
});

describe('a node that does not answer the question', () => {
  it.each([301, 302, 399])('is garbage where it answers %d, whatever it says', async (status) => {
    await expect(ask(result('1'), status)).rejects.toMatchObject({ reason: 'garbage' });
  });

  it.each([-32005, -32029, 429])('limits the rate of requests with the code %d', async (code) => {
    const text = `{"jsonrpc":"2.0","id":0,"error":{"code":${code},"message":"slow down"}}`;
    await expect(ask(text)).rejects.toMatchObject({ reason: 'rate_limited' });
  });
});

describe('an error of a node', () => {
  it('is about the node, or about what was asked', () => {
    expect([-32603, -32600, -32001, 403].map(isOfNode)).toEqual([true, true, true, true]);
    // Insufficient funds; reverted; rejected; parameters; a simulation and a preflight that failed on Solana.
    expect([-32000, 3, -32003, -32602, -32002, -32006].map(isOfNode)).toEqual([
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
