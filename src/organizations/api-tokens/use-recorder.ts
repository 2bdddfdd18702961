import { Logger } from '@nestjs/common';
import { leastRecent } from '../../common/least-recent.js';

interface UsedToken {
  tokenId: string;
}

const MAX_TOKENS = 10_000;
const INTERVAL_MS = 60_000;

/**
 * Records when each token was last used: at most once a minute, and without making the caller wait. A failed write is
 * logged and dropped; the statement behind `write` enforces the same minute across instances.
 */
export class UseRecorder<T extends UsedToken> {
  private readonly log = new Logger('Tokens');
  private readonly noted = leastRecent<string, true>(MAX_TOKENS, { ttl: INTERVAL_MS });

  constructor(private readonly write: (token: T) => Promise<unknown>) {}

  record(token: T): void {
    if (this.noted.has(token.tokenId)) return;
    this.noted.set(token.tokenId, true);
    this.write(token).catch((error: Error) => {
      this.log.warn(`The use of token ${token.tokenId} was not recorded: ${error.message}`);
    });
  }
}
