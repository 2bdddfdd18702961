import { describe, expect, it } from '@jest/globals';
import { exceptionsOf } from './exceptions.js';
import { changesOf, isDigest, requestOf, sealPlan, type PartStates } from './promotion-plan.js';

const ID = '018f0000-0000-7000-8000-000000000001';
const OTHER = '018f0000-0000-7000-8000-000000000002';
const OPEN = {
  from: { environmentId: ID, kind: 'sandbox' },
  to: { environmentId: OTHER, kind: 'live' },
  prune: false,
  except: [],
  parts: [{ part: 'origins', changes: [{ action: 'add', key: 'a', after: 1 }], left: [] }],
} satisfies Parameters<typeof sealPlan>[0];
const states = (from: object, to: object): PartStates[] => [
  { part: 'origins', from: new Map(Object.entries(from)), to: new Map(Object.entries(to)) },
];

describe('the digest of a plan', () => {
  const { digest } = sealPlan(OPEN, states({ a: 1, b: 2 }, { b: 2 }));

  it('is the same for the same states and changes, whatever their order', () => {
    expect(isDigest(digest)).toBe(true);
    expect(sealPlan({ ...OPEN }, states({ b: 2, a: 1 }, { b: 2 })).digest).toBe(digest);
  });

  it.each([
    ['the source', OPEN, states({ a: 1, b: 3 }, { b: 2 })],
    ['the target', OPEN, states({ a: 1, b: 2 }, { b: 2, c: 1 })],
    ['the changes', { ...OPEN, parts: [] }, states({ a: 1, b: 2 }, { b: 2 })],
    ['what is pruned', { ...OPEN, prune: true }, states({ a: 1, b: 2 }, { b: 2 })],
    ['what is excepted', { ...OPEN, except: ['x'] }, states({ a: 1, b: 2 }, { b: 2 })],
    ['the environments', { ...OPEN, to: OPEN.from }, states({ a: 1, b: 2 }, { b: 2 })],
  ])('is another one when %s differ', (_name, plan, read) => {
    expect(sealPlan(plan, read).digest).not.toBe(digest);
  });
});

describe('a plan that was read', () => {
  const plan = sealPlan(OPEN, []);

  it('says what it asks for', () => {
    expect(requestOf(JSON.parse(JSON.stringify(plan)))).toEqual({ from: ID, to: OTHER, prune: false, except: [] });
    expect(changesOf(plan)).toBe(1);
  });

  it.each([
    null,
    'plan',
    [],
    {},
    { ...plan, version: 2 },
    { ...plan, from: undefined },
    { ...plan, to: { environmentId: 'x' } },
    { ...plan, prune: 'yes' },
    { ...plan, except: [1] },
  ])('is refused as %j', (value) => {
    expect(requestOf(value)).toBeNull();
  });
});

describe('exceptions', () => {
  const exceptions = exceptionsOf(['settings/chains', 'webhooks', 'origins/https://a.example']);

  it('cover whole parts, and keys with what is below them', () => {
    expect(['webhooks', 'settings', 'web'].map((part) => exceptions.covers(part))).toEqual([true, false, false]);
    const kept = (part: string, ...keys: string[]) => [
      ...exceptions.without(part, new Map(keys.map((key) => [key, 1]))).keys(),
    ];
    expect(kept('settings', 'chains', 'chains/0', 'chainsaw', 'kyc')).toEqual(['chainsaw', 'kyc']);
    expect(kept('origins', 'https://a.example', 'https://a.example.net')).toEqual(['https://a.example.net']);
  });

  it('of no known part are named', () => {
    expect(exceptions.unknownAmong(['settings', 'webhooks', 'origins'])).toBeNull();
    expect(exceptions.unknownAmong(['setting', 'webhooks', 'origins'])).toBe('settings/chains');
  });
});
