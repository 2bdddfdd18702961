import { describe, expect, it } from '@jest/globals';
import { descend, hardenedMessage, HdNode } from './hd-node.js';

describe('HdNode', () => {
  it('splits HMAC-SHA512 in halves (RFC 4231, test case 2)', () => {
    const node = HdNode.fromHmac('Jefe', Buffer.from('what do ya want for nothing?'));

    expect(node.privateKey.toString('hex')).toBe('164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554');
    expect(node.chainCode.toString('hex')).toBe('9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737');
  });

  it('hands out a private key that outlives it', () => {
    const node = HdNode.fromHmac('key', Buffer.from('message'));
    const [view, hex] = [node.privateKey, node.privateKey.toString('hex')];
    const copy = node.copyPrivateKey();
    node.wipe();

    expect(copy.expose().toString('hex')).toBe(hex);
    expect(view.equals(Buffer.alloc(32))).toBe(true);
    expect(() => node.privateKey).toThrow('wiped');
    expect(() => node.chainCode).toThrow('wiped');
  });
});

describe('hardenedMessage', () => {
  it('is 0x00, the private key and the index', () => {
    const node = HdNode.fromHmac('key', Buffer.from('message'));

    expect(hardenedMessage(node, 0x8000_002c).toString('hex')).toBe(`00${node.privateKey.toString('hex')}8000002c`);
  });
});

describe('descend', () => {
  const childOf = (parent: HdNode, index: number) => HdNode.fromHmac(parent.chainCode, hardenedMessage(parent, index));

  it('wipes every node but the last', () => {
    const visited: HdNode[] = [];
    const last = descend(HdNode.fromHmac('key', Buffer.from('seed')), [1, 2, 3], (parent, index) => {
      visited.push(parent);
      return childOf(parent, index);
    });

    expect(visited).toHaveLength(3);
    for (const node of visited) expect(() => node.privateKey).toThrow('wiped');
    expect(last.privateKey).toHaveLength(32);
  });

  it('wipes the node it fails at', () => {
    const master = HdNode.fromHmac('key', Buffer.from('seed'));
    const fail = () => {
      throw new RangeError('no such child');
    };

    expect(() => descend(master, [1], fail)).toThrow('no such child');
    expect(() => master.privateKey).toThrow('wiped');
  });

  it('returns the master itself for the empty path', () => {
    const master = HdNode.fromHmac('key', Buffer.from('seed'));

    expect(descend(master, [], childOf)).toBe(master);
  });
});
