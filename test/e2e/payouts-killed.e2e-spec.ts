import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpenPayouts } from '../../src/funding/transfers/open-payouts.job.js';
import { generateMasterKey } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { TestClient, type Answer } from '../support/client.js';
import { DeafProxy } from '../support/deaf-proxy.js';
import { enableExchange } from '../support/funded-world.js';
import { MoneyVendors } from '../support/money-vendors.js';
import { addOauthAccount } from '../support/oauth-account.js';
import { freePort } from '../support/ports.js';
import { createDatabase, type TestDatabase } from '../support/postgres.js';
import { eventually } from '../support/receiver.js';
import { rowsOf } from '../support/rows.js';
import { ServiceProcess } from '../support/service-process.js';
import { proofOf } from '../support/surface/fresh-proof.js';
import { newEmail, World } from '../support/world.js';

/** The statement that writes a payout. */
const WRITES = 'exchangeTransfers.insert';
const AT_ONCE = 10;

interface Transfer {
  id: string;
  status: string;
}
interface Payout {
  id: string;
  to: string;
  amount: number;
  currency: string;
}

describe('an instance that is killed while it pays out', () => {
  const masterKey = generateMasterKey();
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-payouts-'));
  let database: TestDatabase;
  let proxy: DeafProxy;
  let vendors: MoneyVendors;
  let service: ServiceProcess | undefined;
  let survivor: TestApp;
  let world: World;
  /** Both name the same issuer in their tokens. */
  let url: string;

  async function start(): Promise<ServiceProcess> {
    const settings = { ROLE: 'api', PORT: new URL(url).port, PUBLIC_URL: url, MASTER_KEY: masterKey };
    const places = { DATA_DIR: dataDir, PROVIDER_ADDRESSES: JSON.stringify(vendors.addresses) };
    const started = ServiceProcess.spawn({ ...settings, ...places, DATABASE_URL: proxy.databaseUrl });
    await started.until(async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok === true);
    return started;
  }

  beforeAll(async () => {
    [database, vendors] = [await createDatabase(), await MoneyVendors.start()];
    proxy = await DeafProxy.start(database.url);
    url = `http://localhost:${await freePort()}`;
    const places = { PUBLIC_URL: url, PROVIDER_ADDRESSES: JSON.stringify(vendors.addresses) };
    const env = { ROLE: 'api', RATE_LIMIT_SCALE: '100', ...places };
    survivor = await startTestApp({ databaseUrl: database.url, masterKey, env });
    world = await World.create(survivor);
    await enableExchange(world, 'coinbase');
    service = await start();
  }, 180_000);
  afterAll(async () => {
    await survivor?.close();
    await service?.discard();
    proxy?.stop();
    await vendors?.close();
    await database?.drop();
  });
  beforeEach(async () => {
    vendors.coinbase.mood = 'well';
    service ??= await start();
  }, 180_000);

  const sentTo = ({ to }: Payout): number => vendors.coinbase.sent.filter((one) => one.to === to).length;
  const stateOf = async ({ id }: Payout): Promise<string | null> =>
    (await rowsOf<{ state: string }>(survivor, 'SELECT state FROM exchange_transfers WHERE id = $1', [id]))[0]?.state ??
    null;
  const age = ({ id }: Payout, seconds: number) =>
    rowsOf(
      survivor,
      `UPDATE exchange_transfers SET sent_at = sent_at - make_interval(secs => $2),
         checked_at = checked_at - make_interval(secs => $2) WHERE id = $1`,
      [id, seconds],
    );
  const newPayout = (): Payout => {
    const to = `0x${randomBytes(20).toString('hex')}`;
    return { id: randomUUID(), to, amount: 0.25, currency: 'ETH' };
  };

  /** Somebody with an account at the exchange, who asks an instance to pay. */
  async function holder() {
    const { userId, jwt } = await world.signIn(newEmail());
    const accessToken = randomBytes(16).toString('hex');
    await addOauthAccount(world, userId, 'coinbasesocial', accessToken);
    const path = world.sdk(`/exchange/coinbase/accounts/${vendors.coinbase.accountOf(accessToken)}/transfer`);
    const headers = await proofOf(world, jwt);
    return (payout: Payout, instance = survivor.url): Promise<Answer<Transfer>> =>
      new TestClient(instance, jwt).post<Transfer>(path, payout, { headers });
  }
  type Pay = Awaited<ReturnType<typeof holder>>;

  /** Has the instance pay, and kills it as soon as it has come so far. */
  async function killedAt(reached: Promise<unknown>, pay: Pay, payout: Payout): Promise<void> {
    const lost = pay(payout, url).then(
      ({ status }) => `answered ${status}`,
      () => 'lost',
    );
    expect(await Promise.race([lost, reached.then(() => 'reached')])).toBe('reached');
    expect(await service!.end('SIGKILL')).toBeNull();
    expect(await lost).toBe('lost');
    service = undefined;
    proxy.recover();
  }

  /** The person tries again, and everywhere. */
  async function askedAgain(pay: Pay, payout: Payout): Promise<Set<string>> {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => pay(payout)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`))).toEqual(new Set([`201 ${payout.id}`]));
    return new Set(answers.map(({ body }) => body.status));
  }

  it('before the payout is written has sent nothing, and it is sent once when it is asked for again', async () => {
    const [pay, payout] = [await holder(), newPayout()];
    await killedAt(proxy.holdBefore('COMMIT', WRITES), pay, payout);
    expect([await stateOf(payout), sentTo(payout)]).toEqual([null, 0]);
    // PostgreSQL lets go of what was not committed once it has noticed that the connection is over.
    await eventually('it is paid', async () => (await pay(payout)).status === 201);
    await askedAgain(pay, payout);
    expect([await stateOf(payout), sentTo(payout)]).toEqual(['sent', 1]);
  }, 240_000);

  it('between writing and sending leaves a payout that nobody ever sends', async () => {
    const [pay, payout] = [await holder(), newPayout()];
    await killedAt(proxy.withholdCommitOf(WRITES), pay, payout);
    await eventually('it is written', async () => (await stateOf(payout)) === 'sending');
    await askedAgain(pay, payout);
    expect([await stateOf(payout), sentTo(payout)]).toEqual(['sending', 0]);
    await age(payout, 60);
    await askedAgain(pay, payout);
    await survivor.app.get(OpenPayouts).run();
    expect([await stateOf(payout), sentTo(payout)]).toEqual(['sending', 0]);
    // The exchange does not list it after ten minutes: it is certain that it has not arrived.
    await age(payout, 600);
    await survivor.app.get(OpenPayouts).run();
    expect(await askedAgain(pay, payout)).toEqual(new Set(['not_sent']));
    expect([await stateOf(payout), sentTo(payout)]).toEqual(['not_sent', 0]);
    const another = { ...payout, id: randomUUID() };
    await askedAgain(pay, another);
    expect([await stateOf(another), sentTo(payout)]).toEqual(['sent', 1]);
  }, 240_000);

  it('between sending and hearing of it leaves a payout that is found, and not sent again', async () => {
    const [pay, payout] = [await holder(), newPayout()];
    vendors.coinbase.mood = 'takes-and-waits';
    await killedAt(
      eventually('the exchange has it', () => Promise.resolve(sentTo(payout) === 1)),
      pay,
      payout,
    );
    vendors.coinbase.mood = 'well';
    // However long the kill took, it is looked at as if it had just been sent, and then as if that were a minute ago.
    await age(payout, -3_600);
    await askedAgain(pay, payout);
    expect([await stateOf(payout), sentTo(payout)]).toEqual(['sending', 1]);
    await age(payout, 3_660);
    await askedAgain(pay, payout);
    expect([await stateOf(payout), sentTo(payout)]).toEqual(['sent', 1]);
  }, 240_000);
});
