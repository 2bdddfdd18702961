import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser } from './browser.js';
import { createDatabase, type TestDatabase } from './postgres.js';
import { ServiceProcess, type Environment } from './service-process.js';

/** A first start of the service on an empty database, in a separate process with its own data, and a browser for it. */
export class BrowsedService {
  private constructor(
    private readonly folder: string,
    private readonly database: TestDatabase,
    readonly service: ServiceProcess,
    readonly browser: Browser,
  ) {}

  /** @param origin the service's origin as the browser sees it, if different from the one it listens on */
  static async start(chrome: string, settings: Environment = {}, origin?: string): Promise<BrowsedService> {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-browsed-'));
    const database = await createDatabase('general');
    const own = { DATA_DIR: join(folder, '.data'), DATABASE_URL: database.url, PORT: '0' };
    const service = await ServiceProcess.start({ ...own, ...settings });
    try {
      return new BrowsedService(folder, database, service, await Browser.launch(chrome, origin ?? service.url));
    } catch (error) {
      await service.discard();
      await database.drop();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.service.discard();
    await this.database.drop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
