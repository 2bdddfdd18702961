import { beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '../../common/clock.js';
import type { VendorFigures } from '../../observability/index.js';
import { OutboundError, type OutboundHttp, type OutboundRequest, type OutboundResult } from '../../outbound/index.js';
import { asApiError, knownAddress } from '../chain-faults.js';
import { VendorClient, type VendorQuestion } from './vendor-client.js';
import { VendorUnavailableError } from './vendor-unavailable.error.js';

type Answer = { status?: number; text?: string; headers?: Record<string, string>; truncated?: boolean } | Error;

class MovedClock extends Clock {
  ahead = 0;
  override timestamp(): number {
    return 1_000_000 + this.ahead;
  }
}

let sent: OutboundRequest[];
let answers: (request: OutboundRequest) => Answer;
let clock: MovedClock;
let client: VendorClient;

const http = {
  async send(request: OutboundRequest): Promise<OutboundResult> {
    sent.push(request);
    const answer = answers(request);
    if (answer instanceof Error) throw answer;
    const { status = 200, text = '{"rate":1}', headers = {}, truncated = false } = answer;
    return { status, headers, body: Buffer.from(text), truncated, durationMs: 1 };
  },
} as Partial<OutboundHttp> as OutboundHttp;
const figures = { answered: () => undefined, failed: () => undefined } as Partial<VendorFigures> as VendorFigures;

beforeEach(() => {
  sent = [];
  answers = () => ({});
  clock = new MovedClock();
  client = new VendorClient(http, clock, figures);
});

const ONE = 'https://one.example/rates';
const TWO = 'https://two.example/rates';
const rateOf = (value: unknown): number => (value as { rate: number }).rate;
const ask = (more: Partial<VendorQuestion> = {}): Promise<unknown> =>
  client.json({ vendor: 'rates', urls: [ONE], ...more }, rateOf);
const reasonOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'an answer',
    (error: unknown) => (error instanceof VendorUnavailableError ? error.reason : (error as Error).name),
  );

describe('a vendor', () => {
  it.each([
    ['dns', false],
    ['blocked', false],
    ['refused', true],
    ['timeout', true],
  ] as const)('may have received what failed with %s: %p', async (kind, wasSent) => {
    answers = () => new OutboundError(kind, 'no answer');
    await expect(ask()).rejects.toMatchObject({ name: 'VendorUnavailableError', wasSent });
  });

  it('is asked at the other address when the first gives nothing of use, and at no third', async () => {
    answers = ({ url }) => (url === ONE ? { status: 503 } : {});
    expect(await ask({ urls: [ONE, TWO, 'https://three.example/'] })).toBe(1);
    answers = () => ({ status: 503 });
    sent = [];
    expect(await reasonOf(ask({ urls: [ONE, TWO, 'https://three.example/'] }))).toBe('unreachable');
    expect(sent.map(({ url }) => url)).toEqual([ONE, TWO]);
  });

  it('is not followed where it sends to another place', async () => {
    answers = () => ({ status: 302, headers: { location: 'http://169.254.169.254/' }, text: '' });
    expect(await reasonOf(ask())).toBe('unreachable');
    expect(sent).toHaveLength(1);
  });

  it.each<[string, Answer, string]>([
    ['nonsense', { text: '{"rate":' }, 'garbage'],
    ['nothing', { text: 'null' }, 'garbage'],
    ['a page', { text: '<html>' }, 'garbage'],
    ['too much', { truncated: true }, 'oversize'],
    ['a limit', { status: 429 }, 'rate_limited'],
    ['a refusal', { status: 401 }, 'refused'],
    ['no name', new OutboundError('dns', 'no such host'), 'unreachable'],
    ['a private address', new OutboundError('blocked', 'private'), 'unreachable'],
    ['silence', new OutboundError('timeout', 'late'), 'timeout'],
  ])(
    'that answers %s is unavailable, and the message has neither its address nor its key',
    async (_, answer, reason) => {
      answers = () => answer;
      const asked = ask({ urls: ['https://one.example/?apikey=canary'] });
      await expect(asked).rejects.not.toThrow(/canary|one\.example/);
      expect(await reasonOf(asked)).toBe(reason);
    },
  );

  it('whose words nobody foresaw has answered garbage, whatever the reader stumbles over', async () => {
    const readers: (() => unknown)[] = [
      () => BigInt('x'),
      () => (null as never as Date).getTime(),
      () => 'x'.padEnd(2 ** 31),
    ];
    for (const read of readers) {
      expect(await reasonOf(client.text({ vendor: 'rates', urls: [ONE] }, read))).toBe('garbage');
    }
  });
});

describe('a question that takes several calls', () => {
  const slowly = (tookMs: number) => (answer: Answer) => () => {
    clock.ahead += tookMs;
    return answer;
  };
  const timeouts = (): unknown[] => sent.map(({ timeoutMs }) => timeoutMs);

  it('has five seconds for all of them, and each call what the ones before it have left', async () => {
    answers = slowly(2_000)({});
    const until = client.deadline();
    const reasons = [];
    for (const url of [ONE, `${ONE}?2`, `${ONE}?3`, `${ONE}?4`])
      reasons.push(await reasonOf(ask({ urls: [url], until })));
    expect([reasons, timeouts()]).toEqual([
      ['an answer', 'an answer', 'an answer', 'timeout'],
      [5_000, 3_000, 1_000],
    ]);
  });

  it('gives a second address no more than that either', async () => {
    answers = slowly(1_500)({ status: 503 });
    const until = client.deadline();
    expect(await reasonOf(ask({ urls: [ONE, TWO], until }))).toBe('unreachable');
    expect(await reasonOf(ask({ urls: [ONE, TWO], until }))).toBe('unreachable');
    expect(timeouts()).toEqual([3_000, 3_500, 2_000, 500]);
  });

  it('that is given no time of its own has as long each time', async () => {
    answers = slowly(4_000)({});
    await ask();
    await ask();
    expect(timeouts()).toEqual([5_000, 5_000]);
  });

  it('asks nobody once it is late, and is answered from what is kept all the same', async () => {
    const until = client.deadline();
    await ask({ until, keptMs: 60_000 });
    clock.ahead += 5_000;
    expect([await ask({ until, keptMs: 60_000 }), sent.length]).toEqual([1, 1]);
    const late = ask({ urls: [TWO], until });
    await expect(late).rejects.toMatchObject({ reason: 'timeout', wasSent: false });
    expect(sent).toHaveLength(1);
  });
});

describe('the same question', () => {
  it('asked by a hundred at once leaves once, and its failure is nobody else’s', async () => {
    const all = await Promise.all(Array.from({ length: 100 }, () => ask()));
    expect([new Set(all), sent.length]).toEqual([new Set([1]), 1]);
    answers = () => ({ status: 500 });
    await Promise.all(Array.from({ length: 100 }, () => reasonOf(ask())));
    expect(sent).toHaveLength(2);
    answers = () => ({});
    expect(await ask()).toBe(1);
  });

  it('with other credentials is another one', async () => {
    const of = (token: string) => ask({ headers: { authorization: token }, keptMs: 60_000 });
    await Promise.all([of('Bearer a'), of('Bearer b'), of('Bearer a')]);
    expect(sent.map(({ headers }) => headers?.['authorization'])).toEqual(['Bearer a', 'Bearer b']);
    const named = (key: string | null) => ask({ key, keptMs: 60_000 });
    await Promise.all([named('person 1'), named('person 2'), named(null), named(null)]);
    expect(sent).toHaveLength(6);
  });

  it('asked again is answered from what is kept, unless it must be fresh', async () => {
    await ask({ keptMs: 60_000 });
    await ask({ keptMs: 60_000 });
    expect(sent).toHaveLength(1);
    await ask({ keptMs: 60_000, fresh: true });
    expect(sent).toHaveLength(2);
  });
});

describe('the breaker of a vendor', () => {
  const fail = async (more: Partial<VendorQuestion> = {}): Promise<void> => {
    answers = () => ({ text: '<html>' });
    for (let time = 0; time < 5; time += 1) await reasonOf(ask(more));
    answers = () => ({});
    sent = [];
  };

  it('leaves it alone after five failures, tries once after ten seconds, and closes with an answer', async () => {
    await fail();
    expect([await reasonOf(ask()), sent.length]).toEqual(['unreachable', 0]);
    clock.ahead += 10_001;
    expect([await ask(), await ask(), sent.length]).toEqual([1, 1, 2]);
  });

  it('closes with a refusal as well: who refuses is there', async () => {
    await fail();
    clock.ahead += 10_001;
    answers = () => ({ status: 404 });
    expect(await reasonOf(ask())).toBe('refused');
    answers = () => ({});
    expect(await ask()).toBe(1);
  });

  it('is not opened by what is refused, however often', async () => {
    answers = () => ({ status: 400 });
    for (let time = 0; time < 20; time += 1) expect(await reasonOf(ask())).toBe('refused');
    expect(sent).toHaveLength(20);
  });

  it.each<[string, Answer]>([
    ['has used up a limit of their own', { status: 429 }],
    ['has an account that nobody foresaw', { text: 'null' }],
  ])('is not opened to others by somebody who %s, however often', async (_, answer) => {
    answers = () => answer;
    for (let time = 0; time < 20; time += 1) await reasonOf(ask({ key: time % 2 === 0 ? 'person 1' : null }));
    expect(sent).toHaveLength(20);
    answers = () => ({});
    expect(await ask({ key: 'person 2' })).toBe(1);
  });

  it('is not opened by answers that are too long: strangers choose what is asked', async () => {
    answers = () => ({ truncated: true });
    for (let time = 0; time < 20; time += 1) expect(await reasonOf(ask())).toBe('oversize');
    expect(sent).toHaveLength(20);
  });

  it('is opened by the silence of a vendor and by its faults, whoever asks', async () => {
    const faults: Answer[] = [{ status: 503 }, new OutboundError('timeout', 'late')];
    for (let time = 0; time < 5; time += 1) {
      answers = () => faults[time % 2]!;
      await reasonOf(ask({ key: `person ${time}` }));
    }
    answers = () => ({});
    expect(await reasonOf(ask({ key: 'person 9' }))).toBe('unreachable');
  });

  it('of a limit that is that of the service is opened', async () => {
    answers = () => ({ status: 429 });
    for (let time = 0; time < 20; time += 1) await reasonOf(ask());
    expect(sent).toHaveLength(5);
  });

  it('of addresses that a tenant has chosen closes the host to nobody else', async () => {
    await fail({ urls: ['https://one.example/a-page'], circuit: 'https://one.example/a-page' });
    expect(await reasonOf(ask({ circuit: 'https://one.example/a-page' }))).toBe('unreachable');
    expect(await ask({ circuit: 'https://one.example' })).toBe(1);
    // Without a name of its own the whole host is one.
    await fail({ urls: ['https://one.example/a-page'] });
    expect(await reasonOf(ask())).toBe('unreachable');
  });
});

describe('an address that a node gives no answer for', () => {
  it.each([
    [400, 'invalid_account_address'],
    [401, 'vendor_unavailable'],
    [403, 'vendor_unavailable'],
    [404, 'vendor_unavailable'],
    [413, 'vendor_unavailable'],
  ])('is invalid only if the node calls it a bad request: %d is %s', async (status, code) => {
    answers = () => ({ status });
    await expect(asApiError(knownAddress(ask()))).rejects.toMatchObject({ code });
  });
});
