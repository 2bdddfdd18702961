import { LedgerVerifier } from '../../src/custody/index.js';
import { monotonicMs } from '../monotonic.js';
import { withApplication } from '../plant/application.js';
import { plantLedger } from '../plant/ledger.js';
import { median } from '../report/statistics.js';
import type { Row } from '../report/table.js';
import type { ServiceSettings } from '../stack/service.js';

const ROWS = 100_000;
const WALKS = 3;

/** The time to verify a key ledger from its first row to its head, as `ledger verify` does. */
export async function measureLedger(settings: ServiceSettings): Promise<Row> {
  const { databaseUrl, environmentId } = settings;
  await plantLedger(databaseUrl, environmentId, ROWS);
  const times: number[] = [];
  const count = await withApplication(settings, async (app) => {
    const verifier = app.get(LedgerVerifier, { strict: false });
    let verified = 0;
    for (let walk = 0; walk < WALKS; walk += 1) {
      const start = monotonicMs();
      const { count: rows, broken } = await verifier.verify(environmentId);
      if (broken) throw new Error(`The ledger is broken at row ${broken.sequence}: ${broken.reason}.`);
      if (rows < ROWS) throw new Error(`Of ${ROWS} rows ${rows} were verified.`);
      times.push(((monotonicMs() - start) * ROWS) / rows / 1000);
      verified = rows;
    }
    return verified;
  });
  const note = `median of ${WALKS} walks of ${count} rows, in seconds for ${ROWS}`;
  return { row: 'ledger verification, 100 000 rows', figure: median(times), note };
}
