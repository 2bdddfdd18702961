import { describe, expect, it } from '@jest/globals';
import { simulatedOutcome, tracedOutcome } from './simulated-outcome.js';

const [OWNER, SHOP, THIEF] = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
];
const frame = (more: object) => ({ type: 'CALL', from: OWNER, to: SHOP, value: '0x0', ...more });

describe('simulated calls', () => {
  const result = (...calls: object[]) => ({ result: [{ calls }] });
  const garbage = 'the node answered no simulation';

  it('are as many as asked, each done or failed', () => {
    const done = { status: '0x1', logs: [] };
    expect(simulatedOutcome(result(done), 1)).toEqual({ movements: [], approvals: [], failure: null });
    expect(() => simulatedOutcome(result(done), 2)).toThrow(garbage);
    expect(simulatedOutcome(result(done, { status: '0x0', error: { message: 'no' } }), 2).failure).toBe('no');
    expect(() => simulatedOutcome(result({ status: '0x2' }), 1)).toThrow(garbage);
  });

  it('tell nothing where the node is away, and a failure where the transaction is to blame', () => {
    const error = (code: number, message: string) => ({ error: { code, message } });
    expect(() => simulatedOutcome(error(-32002, 'header not found'), 1)).toThrow(garbage);
    expect(simulatedOutcome(error(-32002, 'insufficient funds'), 1).failure).toBe('insufficient funds');
  });

  it('move nothing by a transfer of nothing', () => {
    const topic = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
    const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
    const log = (digit: string) => ({
      ...{ address: SHOP, topics: [transfer, topic(OWNER), topic(THIEF)] },
      data: `0x${digit.padStart(64, '0')}`,
    });
    expect(simulatedOutcome(result({ status: '0x1', logs: [log('0'), log('1')] }), 1).movements).toHaveLength(1);
  });
});

describe('a traced call', () => {
  it('is not read without end', () => {
    const calls = Array.from({ length: 10_000 }, () => frame({}));
    expect(tracedOutcome({ result: frame({ calls: calls.slice(1) }) }).failure).toBeNull();
    expect(() => tracedOutcome({ result: frame({ calls }) })).toThrow('the node answered no simulation');
  });

  it('moves what its frames move, without those that failed and all within them', () => {
    const paid = frame({ from: SHOP, to: OWNER, value: '0x2' });
    const inFailed = frame({ to: THIEF, value: '0x9', error: 'reverted', calls: [frame({ to: THIEF, value: '0x8' })] });
    const result = frame({ value: '0x5', calls: [inFailed, paid] });
    expect(tracedOutcome({ result })).toEqual({
      movements: [
        { token: null, kind: 'NATIVE', from: OWNER, to: SHOP, amount: 5n },
        { token: null, kind: 'NATIVE', from: SHOP, to: OWNER, amount: 2n },
      ],
      approvals: [],
      failure: null,
    });
  });

  it('moves the value of a delegated call once', () => {
    const result = frame({ value: '0x5', calls: [frame({ type: 'DELEGATECALL', to: THIEF, value: '0x5' })] });
    expect(tracedOutcome({ result }).movements).toHaveLength(1);
  });

  it.each(['from', 'to'])('moves nothing if it is not said who is party to it: %s', (party) => {
    for (const text of ['0x', `0x${'12'.repeat(21)}`])
      expect(() => tracedOutcome({ result: frame({ value: '0x5', [party]: text }) })).toThrow(
        'the node answered no simulation',
      );
  });

  it('approves in the order of its calls and logs', () => {
    const topic = (address: string): string => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
    const approval = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
    const approved = (digit: string, more: object = {}) => ({
      ...{ address: SHOP, topics: [approval, topic(OWNER), topic(THIEF)], data: `0x${digit.padStart(64, '0')}` },
      ...more,
    });
    const amounts = (result: object) => tracedOutcome({ result }).approvals.map(({ amount }) => amount);
    const deep = frame({ calls: [frame({ logs: [approved('1')] })] });
    expect(amounts(frame({ calls: [deep, frame({ logs: [approved('2')] })] }))).toEqual([1n, 2n]);
    const logs = ['0x0', '0x2', '0x1'].map((position, at) => approved(String(at + 3), { position }));
    expect(amounts(frame({ logs, calls: [deep, frame({ logs: [approved('2')] })] }))).toEqual([3n, 1n, 5n, 2n, 4n]);
    expect(amounts(frame({ logs: [approved('3')], calls: [deep] }))).toEqual([3n, 1n]);
  });

  it('moves nothing when it fails itself', () => {
    const result = frame({ value: '0x5', error: 'out of gas', calls: [frame({ value: '0x1' })] });
    expect(tracedOutcome({ result })).toEqual({ movements: [], approvals: [], failure: 'out of gas' });
  });
});
