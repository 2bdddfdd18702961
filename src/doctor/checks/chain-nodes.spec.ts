import { describe, expect, it } from '@jest/globals';
import { checkChainNodes, headFault, type ChainNode, type NodeFault } from './chain-nodes.js';

const node = (number: string): ChainNode => ({ chain: 'EVM', number, url: `https://${number}.example/secret` });
const nodes = (count: number): ChainNode[] => Array.from({ length: count }, (_, at) => node(String(at + 1)));
const well = async (): Promise<NodeFault> => null;

describe('the doctor looks at the nodes that tenants have chosen', () => {
  it('each of them, a few at a time', async () => {
    let [running, most] = [0, 0];
    const asked = new Set<string>();
    const finding = await checkChainNodes(nodes(20), 200, async ({ number }) => {
      most = Math.max(most, ++running);
      asked.add(number);
      await Promise.resolve();
      running--;
      return null;
    });
    expect(finding).toEqual({ state: 'ok', meaning: 'the 20 nodes chosen by tenants respond' });
    expect([asked.size, most]).toEqual([20, 8]);
  });

  it('and names those that do not answer by their network, never by their address', async () => {
    const finding = await checkChainNodes(nodes(9), 200, async ({ number }) =>
      Number(number) > 2 ? 'unreachable' : null,
    );
    expect(finding).toMatchObject({
      state: 'warn',
      meaning:
        '7 of the 9 nodes chosen by tenants cannot be used (EVM 3: unreachable; EVM 4: unreachable; EVM 5: unreachable; EVM 6: unreachable; EVM 7: unreachable; and 2 more)',
    });
    expect(JSON.stringify(finding)).not.toMatch(/secret|example/);
  });

  it('and says where it stopped, and when there was nothing to look at', async () => {
    expect((await checkChainNodes(nodes(3), 2, well)).meaning).toContain('only 2 were checked');
    expect(await checkChainNodes(nodes(1), 2, well)).toEqual({
      state: 'ok',
      meaning: 'the node chosen by tenants responds',
    });
    expect(await checkChainNodes([], 2, well)).toMatchObject({ state: 'ok' });
    expect(await checkChainNodes(null, 2, well)).toMatchObject({ state: 'warn' });
  });

  it.each([
    [0, null],
    [9, null],
    [42, 'its newest block is 42 min old'],
    [-1, null],
  ])('and how old the newest block is: %d minutes', (minutes, fault) => {
    const now = 1_700_000_000_000;
    const timestamp = `0x${(now / 1_000 - minutes * 60).toString(16)}`;
    expect(headFault({ timestamp }, now)).toBe(fault);
    expect(headFault(null, now)).toBe('reports no block');
  });
});
