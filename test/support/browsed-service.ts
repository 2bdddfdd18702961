import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Browser } from './browser.js';
import { ServiceProcess, type Environment } from './service-process.js';

/** A first start of the service, in a separate process with its own data, and a browser for it. */
export class BrowsedService {
  private constructor(
    private readonly folder: string,
    readonly service: ServiceProcess,
    readonly browser: Browser,
  ) {}

  /** @param origin the service's origin as the browser sees it, if different from the one it listens on */
  static async start(chrome: string, settings: Environment = {}, origin?: string): Promise<BrowsedService> {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-browsed-'));
    const service = await ServiceProcess.start({ DATA_DIR: join(folder, '.data'), PORT: '0', ...settings });
    try {
      return new BrowsedService(folder, service, await Browser.launch(chrome, origin ?? service.url));
    } catch (error) {
      await service.discard();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.service.discard();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
