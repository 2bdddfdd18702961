import { describe, expect, it } from '@jest/globals';
import vm from 'node:vm';
import { keepingCode } from '../scripts/kept-code.js';

/** What was asked of the compilers: the text, and whether code that was kept came with it. */
interface Asked {
  text: string;
  kept: string | undefined;
}

/** Compilers that write down what they are asked, and whose code is the text in capitals. */
function recording({ refuses = false } = {}) {
  const asked: Asked[] = [];
  const ask = (text: string, options: { cachedData?: Buffer }): void =>
    void asked.push({ text, kept: options.cachedData?.toString() });
  class SourceTextModule {
    constructor(
      readonly text: string,
      options: { cachedData?: Buffer },
    ) {
      ask(text, options);
      const code = 'ERR_VM_MODULE_CACHED_DATA_REJECTED';
      if (options.cachedData && refuses) throw Object.assign(new Error('refused'), { code });
    }
    createCachedData(): Buffer {
      return Buffer.from(this.text.toUpperCase());
    }
  }
  const compileFunction = (text: string, _params: string[], options: { cachedData?: Buffer }) => {
    ask(text, options);
    return {
      cachedData: Buffer.from(text.toUpperCase()),
      cachedDataRejected: options.cachedData ? refuses : undefined,
    };
  };
  return { asked, ...keepingCode({ SourceTextModule, compileFunction } as unknown as typeof vm) };
}

type Recording = ReturnType<typeof recording>;

describe.each([
  [
    'a module',
    ({ SourceTextModule }: Recording, text: string, file: string) => new SourceTextModule(text, { identifier: file }),
  ],
  [
    'a function',
    ({ compileFunction }: Recording, text: string, file: string) => compileFunction(text, [], { filename: file }),
  ],
])('%s of a suite', (_, make) => {
  it('is made of the code that was kept when the same file comes again', () => {
    const compilers = recording();
    for (const file of ['/a.js', '/a.js', '/b.js']) make(compilers, 'let x', file);
    expect(compilers.asked.map(({ kept }) => kept)).toEqual([undefined, 'LET X', undefined]);
  });

  it('is never made of the code of another text, not even of one as long', () => {
    const compilers = recording();
    for (const text of ['let x', 'let y', 'let y']) make(compilers, text, '/a.js');
    expect(compilers.asked.map(({ kept }) => kept)).toEqual([undefined, undefined, 'LET Y']);
  });

  it('is made without where the code is refused', () => {
    const compilers = recording({ refuses: true });
    for (let at = 0; at < 2; at += 1) expect(make(compilers, 'let x', '/a.js')).toBeDefined();
    expect(compilers.asked.map(({ kept }) => kept)).toEqual([undefined, 'LET X', undefined]);
  });
});

describe('modules of kept code', () => {
  it('have instances of their own in each context', async () => {
    const { SourceTextModule } = keepingCode(vm);
    const counted = async (): Promise<unknown> => {
      const context = vm.createContext({});
      const module = new SourceTextModule(
        'globalThis.count = (globalThis.count ?? 0) + 1; export const seen = count;',
        {
          identifier: '/counting.js',
          context,
        },
      );
      await module.link(() => {
        throw new Error('It imports nothing.');
      });
      await module.evaluate();
      return (module.namespace as { seen: unknown }).seen;
    };
    expect([await counted(), await counted()]).toEqual([1, 1]);
  });

  it('say what is wrong with a text as they did without', () => {
    const { SourceTextModule } = keepingCode(vm);
    expect(() => new SourceTextModule('let let', { identifier: '/wrong.js' })).toThrow(
      'Unexpected strict mode reserved word',
    );
  });
});
