import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BullModule, Process, Processor, getQueueToken } from '@nestjs/bull';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Job, Queue } from 'bull';
import { DataSource } from 'typeorm';
import { CreateReminders20270102000000 } from '../../examples/reminders/20270102000000-create-reminders.js';
import { RemindersModule } from '../../examples/reminders/index.js';
import { RemindersJob } from '../../examples/reminders/reminders.job.js';
import { RemindersPurge } from '../../examples/reminders/reminders-purge.job.js';
import { RemindersRepository } from '../../examples/reminders/reminders.repository.js';
import { AppModule } from '../../src/app.module.js';
import { ProjectingAdapter } from '../../src/common/http/projecting.adapter.js';
import { newId } from '../../src/common/ids.js';
import { Config } from '../../src/config/index.js';
import { Database } from '../../src/database/index.js';
import { provision } from '../../src/provisioning/index.js';
import { Jobs } from '../../src/queue/index.js';
import { parseKeyRing } from '../../src/vault/index.js';
import { differenceWith } from '../support/example-tables.js';
import { createDatabase, type TestDatabase } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { redisUrl } from '../support/redis.js';

const PARCELS = 'parcels';

/** Fails at its first delivery, as a process does that loses its connection. */
@Injectable()
@Processor(PARCELS)
class ParcelsProcessor {
  readonly deliveries: string[] = [];

  @Process('send')
  async send({ data }: Job<{ parcel: string }>): Promise<void> {
    this.deliveries.push(data.parcel);
    if (this.deliveries.length === 1) throw new Error('not at home');
  }
}

describe('an extension in the ordinary way of Nest', () => {
  let database: TestDatabase;
  let app: NestExpressApplication;
  let environmentId: string;
  let reminders: RemindersRepository;

  beforeAll(async () => {
    database = await createDatabase();
    const masterKey = process.env['GATEHOUSE_TEST_MASTER_KEY'] ?? '';
    const config = Config.load({
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      DATABASE_URL: database.url,
      REDIS_URL: redisUrl(),
      MASTER_KEY: masterKey,
    });

    @Module({
      imports: [
        AppModule.forRoot({ config, vault: parseKeyRing(masterKey) }),
        RemindersModule,
        BullModule.registerQueue({ name: PARCELS }),
      ],
      providers: [ParcelsProcessor],
    })
    class Extended {}

    app = await NestFactory.create<NestExpressApplication>(Extended, new ProjectingAdapter(), {
      bodyParser: false,
      logger: ['error'],
    });
    const runner = app.get(DataSource).createQueryRunner();
    await new CreateReminders20270102000000().up(runner);
    await runner.release();
    await app.init();
    reminders = app.get(RemindersRepository);
    const ids = await provision(app, { organization: newId(), project: 'Own', ownerEmail: `${newId()}@example.com` });
    environmentId = ids.environments.sandbox;
  });

  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const add = (text: string, sendAt: Date) => reminders.add(environmentId, { id: newId(), text, sendAt });
  const PAST = new Date('2026-01-01T00:00:00Z');
  const FUTURE = new Date('2099-01-01T00:00:00Z');

  it('has TypeORM repositories for its own tables, on the service’s connections', async () => {
    const { total } = app.get(Database).load;
    expect(total).toBeGreaterThan(0);
    const row = await add('water the plants', FUTURE);
    expect(row.createdAt).toBeInstanceOf(Date);
    expect((await reminders.list(environmentId)).map(({ text }) => text)).toEqual(['water the plants']);
    expect(await reminders.list(newId())).toEqual([]);
    expect(await differenceWith(app.get(DataSource), 'reminders')).toEqual([]);
  });

  it('refuses a condition without a value, which would match every row', async () => {
    await expect(reminders.list(undefined as unknown as string)).rejects.toThrow(/undefined/i);
  });

  it('runs a job every day, which survives restarts', async () => {
    const [due] = [await add('now', PAST), await add('later', FUTURE)];
    const jobs = app.get(Jobs);
    await jobs.look();
    const source = app.get(DataSource);
    const sql = 'SELECT due_at FROM scheduled_jobs WHERE name = $1';
    const [row] = await source.query<{ due_at: Date }[]>(sql, ['reminders.send']);
    expect([row!.due_at.getUTCHours(), row!.due_at.getUTCMinutes()]).toEqual([6, 30]);
    await source.query('UPDATE scheduled_jobs SET due_at = now() WHERE name = $1', ['reminders.send']);
    const sent = async () => (await reminders.list(environmentId)).filter(({ sentAt }) => sentAt).map(({ id }) => id);
    await eventually('the job', async () => {
      await jobs.look();
      return (await sent()).length > 0;
    });
    expect(await sent()).toEqual([due.id]);
    await Promise.all(Array.from({ length: 50 }, () => app.get(RemindersJob).run()));
    expect(await sent()).toEqual([due.id]);
  });

  it('leaves nothing due for the next day, however much there is', async () => {
    const source = app.get(DataSource);
    const fill = `INSERT INTO reminders (environment_id, id, text, send_at)
      SELECT $1, gen_random_uuid(), 'many', $2 FROM generate_series(1, 501)`;
    await source.query(fill, [environmentId, PAST]);
    await app.get(RemindersJob).run();
    expect(await source.query("SELECT 1 FROM reminders WHERE text = 'many' AND sent_at IS NULL")).toEqual([]);
    await source.query("DELETE FROM reminders WHERE text = 'many'");
  });

  it('does nothing for an environment that was deleted, while its rows are still there', async () => {
    const source = app.get(DataSource);
    const { environments } = await provision(app, {
      organization: newId(),
      project: 'Gone',
      ownerEmail: `${newId()}@example.com`,
    });
    await reminders.add(environments.live, { id: newId(), text: 'to nobody', sendAt: PAST });
    await source.query('UPDATE environments SET deleted_at = now() WHERE id = $1', [environments.live]);
    await app.get(RemindersJob).run();
    expect(await reminders.list(environments.live)).toEqual([expect.objectContaining({ sentAt: null })]);
  });

  it('only declares what is old', async () => {
    const source = app.get(DataSource);
    const fill = `INSERT INTO reminders (environment_id, id, text, send_at, sent_at)
      SELECT $1, gen_random_uuid(), 'old', now(), now() - interval '8 days' FROM generate_series(1, 2500)`;
    await source.query(fill, [environmentId]);
    await source.query(fill.replace('8 days', '6 days').replace('2500', '10'), [environmentId]);
    expect(await app.get(RemindersPurge).run()).toBe(2500);
    const [left] = await source.query<{ count: number }[]>("SELECT count(*)::int FROM reminders WHERE text = 'old'");
    expect(left!.count).toBe(10);
  });

  it('has Bull queues with processors, and failed jobs are redelivered', async () => {
    const queue = app.get<Queue>(getQueueToken(PARCELS));
    await queue.add('send', { parcel: 'a' }, { attempts: 3, backoff: 10, removeOnComplete: true });
    const { deliveries } = app.get(ParcelsProcessor);
    await eventually('a second delivery', () => deliveries.length > 1);
    expect(deliveries).toEqual(['a', 'a']);
  });
});
