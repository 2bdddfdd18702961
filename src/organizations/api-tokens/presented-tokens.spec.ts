import { describe, expect, it, jest } from '@jest/globals';
import { TOKEN_PREFIX, makeToken } from './opaque-token.js';
import { PresentedTokens } from './presented-tokens.js';

const known = { tokenId: 't', environmentId: 'e' };

class Presented extends PresentedTokens<typeof known> {}

function presented(stored: { hash: Buffer } | null) {
  const recognize = jest.fn(async (hash: Buffer) => (stored && hash.equals(stored.hash) ? known : null));
  const touch = jest.fn(async () => 1);
  return { recognize, touch, tokens: new Presented(TOKEN_PREFIX.environment, { recognize, touch }) };
}

describe('a presented token', () => {
  it('is looked up by its SHA-256 once for many calls, and its use is noted once', async () => {
    const token = makeToken(TOKEN_PREFIX.environment);
    const { tokens, recognize, touch } = presented(token);
    for (let call = 0; call < 20; call++) expect(await tokens.recognize(token.raw)).toBe(known);
    expect(recognize.mock.calls).toEqual([[token.hash]]);
    expect(touch.mock.calls).toEqual([[known]]);
  });

  it('that is mistyped or of another kind costs no look-up', async () => {
    const token = makeToken(TOKEN_PREFIX.environment);
    const { tokens, recognize } = presented(token);
    expect(await tokens.recognize(`${token.raw.slice(0, -1)}${token.raw.endsWith('0') ? '1' : '0'}`)).toBeNull();
    expect(await tokens.recognize(makeToken(TOKEN_PREFIX.personal).raw)).toBeNull();
    expect(recognize).not.toHaveBeenCalled();
  });

  it('that nobody holds is refused each time and not remembered', async () => {
    const { tokens, recognize, touch } = presented(null);
    const { raw } = makeToken(TOKEN_PREFIX.environment);
    expect(await tokens.recognize(raw)).toBeNull();
    expect(await tokens.recognize(raw)).toBeNull();
    expect(recognize).toHaveBeenCalledTimes(2);
    expect(touch).not.toHaveBeenCalled();
  });

  it('that was deleted here stops working at once', async () => {
    const token = makeToken(TOKEN_PREFIX.environment);
    const stored: { hash: Buffer } = { hash: token.hash };
    const { tokens } = presented(stored);
    expect(await tokens.recognize(token.raw)).toBe(known);
    stored.hash = Buffer.alloc(32);
    tokens.forget(token.hash);
    expect(await tokens.recognize(token.raw)).toBeNull();
  });

  it('that was deleted elsewhere stops working within a second', async () => {
    const token = makeToken(TOKEN_PREFIX.environment);
    const stored: { hash: Buffer } = { hash: token.hash };
    const { tokens } = presented(stored);
    const start = performance.now();
    expect(await tokens.recognize(token.raw)).toBe(known);
    stored.hash = Buffer.alloc(32);
    // However late a look comes: one that begins when the second is over finds nobody.
    for (let began = performance.now(); await tokens.recognize(token.raw); began = performance.now()) {
      expect(began - start).toBeLessThan(1_100);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
});
