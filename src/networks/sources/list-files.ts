import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { ConfigError, type Config } from '../../config/index.js';

type Lists = 'TOKEN_LISTS' | 'SCAN_BLOCK_LISTS' | 'SCAN_ALLOW_LISTS';

export const isListAddress = (place: string): boolean => /^https?:\/\//.test(place);

/**
 * Lists are read on first use, and one that then cannot be read keeps its last content. A missing file has none, so an
 * instance does not start without its files. Workers read no lists.
 *
 * @throws ConfigError without the text, since a mistyped address may contain a key
 */
export async function assertListFiles(config: Config, names: readonly Lists[]): Promise<void> {
  if (!config.answersRequests) return;
  for (const name of names) {
    for (const [at, place] of config.get(name).entries()) {
      if (isListAddress(place) || (await isReadable(place))) continue;
      throw new ConfigError(
        `${name}: entry ${at + 1} must be an address that starts with http:// or https://, or a file that can be read.`,
      );
    }
  }
}

async function isReadable(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK);
    return !(await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
