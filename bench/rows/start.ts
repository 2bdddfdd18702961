import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../report/statistics.js';
import type { Row } from '../report/table.js';
import { residentMiB, signerOf } from '../stack/memory.js';
import { startService, type ServiceSettings } from '../stack/service.js';

const STARTS = 5;
const IDLE_MS = 3000;

/** The time from process start to the first response, and the memory of an idle service. */
export async function measureStart(settings: ServiceSettings): Promise<Row[]> {
  const times: number[] = [];
  const sizes: number[] = [];
  const ofSigner: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const service = await startService(settings);
    try {
      times.push(service.startMs / 1000);
      if (start < 3) {
        await delay(IDLE_MS);
        sizes.push(residentMiB(service.pid));
        ofSigner.push(residentMiB(await signerOf(service.pid)));
      }
    } finally {
      await service.stop();
    }
  }
  return [
    { row: 'memory, idle', figure: median(sizes) },
    { row: 'memory of the signer, idle', figure: median(ofSigner) },
    { row: 'start, schema in place', figure: median(times), note: `median of ${STARTS}` },
  ];
}
