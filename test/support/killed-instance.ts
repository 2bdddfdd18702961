import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { generateMasterKey } from '../../src/vault/index.js';
import { startTestApp, type TestApp } from './app.js';
import { DeafProxy } from './deaf-proxy.js';
import { createDatabase, type TestDatabase } from './postgres.js';
import { freePort } from './ports.js';
import { ServiceProcess } from './service-process.js';

/** Enough for each delayed transaction and whatever else the instance does meanwhile. */
const DATABASE_POOL = '40';

/** An instance in a separate process, killed at a chosen statement, and a survivor on the same database. */
export class KilledInstance {
  private service: ServiceProcess | undefined;

  private constructor(
    private readonly database: TestDatabase,
    /** Between the process and its database. */
    readonly proxy: DeafProxy,
    /** The process's URL; both use it as the issuer of their tokens. */
    readonly url: string,
    readonly survivor: TestApp,
    private readonly settings: { readonly DATA_DIR: string; readonly MASTER_KEY: string },
  ) {}

  /** @param name of its folder */
  static async start(name: string): Promise<KilledInstance> {
    const masterKey = generateMasterKey();
    const settings = { MASTER_KEY: masterKey, DATA_DIR: mkdtempSync(join(tmpdir(), `gatehouse-${name}-`)) };
    const database = await createDatabase();
    const proxy = await DeafProxy.start(database.url);
    const url = `http://localhost:${await freePort()}`;
    const env = { ROLE: 'api', PUBLIC_URL: url };
    const survivor = await startTestApp({ databaseUrl: database.url, masterKey, env });
    const instance = new KilledInstance(database, proxy, url, survivor, settings);
    await instance.revive().catch(async (error: unknown) => {
      await instance.discard();
      throw error;
    });
    return instance;
  }

  /** Starts the process if it is not running. */
  async revive(): Promise<void> {
    if (this.service) return;
    const address = { PORT: new URL(this.url).port, PUBLIC_URL: this.url };
    // Concurrent calls are to be cut off by the kill, not by a rate limit.
    const settings = { ...this.settings, ...address, RATE_LIMIT_SCALE: '1000000', DATABASE_POOL };
    this.service = ServiceProcess.spawn({ ...settings, DATABASE_URL: this.proxy.databaseUrl });
    await this.service.until(async () => (await fetch(`${this.url}/readyz`).catch(() => null))?.ok === true);
  }

  /**
   * Kills the process while it handles a call, as soon as the proxy reports it.
   *
   * @param call resolves with the response, and rejects when the connection is lost
   */
  async killAt(reached: Promise<void>, call: Promise<unknown>): Promise<void> {
    const lost = call.then(
      () => 'answered',
      () => 'lost',
    );
    expect(await Promise.race([lost, reached.then(() => 'held')])).toBe('held');
    expect(await this.service?.end('SIGKILL')).toBeNull();
    expect(await lost).toBe('lost');
    this.service = undefined;
    this.proxy.recover();
  }

  async discard(): Promise<void> {
    await this.survivor.close();
    await this.service?.discard();
    this.proxy.stop();
    await this.database.drop();
  }
}
