import type { INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId } from '../auth/index.js';
import { AnalyticsRollup } from '../reporting/index.js';
import { parseOptions } from './arguments.js';
import { environmentOf } from './environments.js';

/** Steps between two words on how far it has come. */
const STEPS_OF_A_REPORT = 10;

/** Counts an environment anew. Run twice, it comes to the same figures. */
export async function analyticsRebuild(app: INestApplicationContext, words: string[]): Promise<void> {
  const { id } = await environmentOf(app, parseOptions(words, ['environment']).environment);
  let steps = 0;
  const total = await app.get(AnalyticsRollup).rebuild(mintEnvironmentId(id), (done, of) => {
    if (++steps % STEPS_OF_A_REPORT === 0) console.error(`… ${done} of ${of} counted`);
  });
  console.log(`${total} counted`);
}
