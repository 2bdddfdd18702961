import type { INestApplicationContext } from '@nestjs/common';
import { mintEnvironmentId } from '../auth/index.js';
import { ClientReports } from '../environments/index.js';
import { ClientEvents } from '../identity/index.js';
import { AnalyticsRollup } from '../reporting/index.js';
import { parseOptions } from './arguments.js';
import { environmentOf } from './environments.js';
import { complain, say } from './terminal.js';

/** Steps between two progress reports. */
const STEPS_OF_A_REPORT = 10;

/** Recounts an environment. Idempotent. */
export async function analyticsRebuild(app: INestApplicationContext, words: string[]): Promise<void> {
  const { id } = await environmentOf(app, parseOptions(words, ['environment']).environment);
  let steps = 0;
  const total = await app.get(AnalyticsRollup).rebuild(mintEnvironmentId(id), (done, of) => {
    if (++steps % STEPS_OF_A_REPORT === 0) complain(`… ${done} of ${of} counted`);
  });
  say(`${total} counted`);
}

/** Shows what pages have said. */
export async function analyticsClients(app: INestApplicationContext, words: string[]): Promise<void> {
  const environmentId = mintEnvironmentId(
    (await environmentOf(app, parseOptions(words, ['environment']).environment)).id,
  );
  const last = await app.get(ClientReports).last(environmentId);
  if (last) say(`settings  ${last.reportedAt.toISOString()}  ${JSON.stringify(last.report)}`);
  else say('settings  not reported by any client yet');
  const sums = await app.get(ClientEvents).sums(environmentId);
  for (const { event, count, lastDay } of sums)
    say(`${count.padStart(10)}  ${lastDay.toISOString().slice(0, 10)}  ${JSON.stringify(event)}`);
  say(`${sums.length} names of events`);
}
