import { RecentLookups } from '../../common/recent-lookups.js';
import { parseToken, type TokenPrefix } from './opaque-token.js';
import { UseRecorder } from './use-recorder.js';

const MAX_TOKENS = 10_000;
/** A deleted token stops working within a second on every instance, and at once on the one that deleted it. */
const MAX_AGE_MS = 1_000;

interface TokenStore<T> {
  recognize(hash: Buffer): Promise<T | null>;
  touch(token: T): Promise<unknown>;
}

/** Recognises presented tokens: malformed ones offline, the others by hash, at most one query a second for each. */
export abstract class PresentedTokens<T extends { tokenId: string; environmentId: string }> {
  private readonly recent: RecentLookups<string, T>;
  private readonly uses: UseRecorder<T>;

  constructor(
    private readonly prefix: TokenPrefix,
    store: TokenStore<T>,
  ) {
    this.recent = new RecentLookups({
      max: MAX_TOKENS,
      ttlMs: MAX_AGE_MS,
      find: (hash) => store.recognize(Buffer.from(hash, 'base64')),
    });
    this.uses = new UseRecorder((token) => store.touch(token));
  }

  /** What the presented token proves; null when it is of another kind, malformed, unknown, deleted or expired. */
  async recognize(text: string): Promise<T | null> {
    const token = parseToken(this.prefix, text);
    if (!token) return null;
    const found = await this.recent.get(token.hash.toString('base64'));
    if (found) this.uses.record(found);
    return found;
  }

  /** Called after a token is deleted. */
  forget(hash: Buffer): void {
    this.recent.forget(hash.toString('base64'));
  }
}
