import { describe, expect, it } from '@jest/globals';
import { tracedOutcome } from './simulated-outcome.js';

const [OWNER, SHOP, THIEF] = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
];
const frame = (more: object) => ({ type: 'CALL', from: OWNER, to: SHOP, value: '0x0', ...more });

describe('a traced call', () => {
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

  it('moves nothing when it fails itself', () => {
    const result = frame({ value: '0x5', error: 'out of gas', calls: [frame({ value: '0x1' })] });
    expect(tracedOutcome({ result })).toEqual({ movements: [], approvals: [], failure: 'out of gas' });
  });
});
