import Bull from 'bull';
import { createHmac, randomBytes } from 'node:crypto';
import pg from 'pg';
import { Pool as HttpPool } from 'undici';
import { v7 } from 'uuid';
import { monotonicMs } from '../monotonic.js';
import type { DeliveriesJob, DeliveriesResult } from './deliveries-job.js';

const CHUNK = 1000;

const RECORD = {
  name: 'bare-delivery',
  text: `INSERT INTO webhook_deliveries (environment_id, id, message_id, attempt, status, request, response, delivered_at)
    VALUES ($1, $2, $3, 1, 'delivered', $4, $5, now())`,
};

/** The baseline for deliveries: a Bull job, a signed POST and a row per message. */
process.on('message', (job: DeliveriesJob) => {
  deliver(job).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.stack ?? error.message }),
  );
});
process.on('disconnect', () => process.exit(0));

async function deliver(job: DeliveriesJob): Promise<DeliveriesResult> {
  const { origin, pathname } = new URL(job.url);
  const queue = new Bull<{ id: string }>('deliveries', job.redisUrl, { prefix: `bare-${process.pid}` });
  const database = new pg.Pool({ connectionString: job.databaseUrl, max: 15 });
  const receiver = new HttpPool(origin, { connections: job.concurrency, pipelining: 1 });
  const secret = randomBytes(32);
  let delivered = 0;

  await queue.pause(true);
  for (let from = 0; from < job.messages.length; from += CHUNK) {
    const chunk = job.messages.slice(from, from + CHUNK);
    await queue.addBulk(chunk.map((id) => ({ data: { id }, opts: { removeOnComplete: true } })));
  }
  const finished = new Promise<void>((resolve, reject) => {
    queue.on('failed', (_job, error) => reject(error));
    void queue.process(job.concurrency, async ({ data: { id } }) => {
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${job.body}`).digest('base64');
      const headers = {
        'content-type': 'application/json',
        ...{ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
      };
      const answer = await receiver.request({ method: 'POST', path: pathname, headers, body: job.body });
      const text = await answer.body.text();
      const request = JSON.stringify({ headers, body: job.body });
      const response = JSON.stringify({ status: answer.statusCode, body: text });
      await database.query({ ...RECORD, values: [job.environmentId, v7(), id, request, response] });
      delivered += 1;
      if (delivered === job.messages.length) resolve();
    });
  });
  const start = monotonicMs();
  await queue.resume(true);
  await finished;
  const seconds = (monotonicMs() - start) / 1000;
  await queue.obliterate({ force: true });
  await Promise.all([queue.close(), database.end(), receiver.close()]);
  return { delivered, perSecond: delivered / seconds };
}
