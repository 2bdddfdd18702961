import { readFileSync } from 'node:fs';
import type { Response } from 'express';

/** Seconds for which browsers may cache a file; short, because a new build replaces the files in place. */
const MAX_AGE_SECONDS = 300;

/** A static file for pages, read once when its module loads. */
export class Asset {
  private readonly content: Buffer;

  /** @param address from `new URL(name, import.meta.url)` */
  constructor(
    address: URL,
    private readonly type: string,
  ) {
    this.content = readFileSync(address);
  }

  send(response: Response): void {
    response.type(this.type).setHeader('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`);
    response.send(this.content);
  }
}
