import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operationsOf, type OpenApiDocument } from '../../src/openapi/document-types.js';
import { Browser, overflowOf, PHONE } from '../support/browser.js';
import { describeWithChrome } from '../support/chrome.js';
import { Explorer } from '../support/explorer.js';
import { run, ServiceProcess } from '../support/service-process.js';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-developer-speed-'));
const settings = { DATA_DIR: join(folder, '.data'), PORT: '0' };
let service: ServiceProcess;

beforeAll(async () => {
  // The first start makes a database, and nobody measures it.
  service = await ServiceProcess.start(settings);
  await service.end('SIGTERM');
}, 120_000);

afterAll(async () => {
  await service?.discard();
  rmSync(folder, { recursive: true, force: true });
});

/** A process that loads what every service of this kind is made of, and ends, in milliseconds. */
async function bareStartMs(): Promise<number> {
  const load = "await import('@nestjs/swagger'); await import('@nestjs/platform-express'); await import('typeorm');";
  const from = performance.now();
  const { code } = await run(['node', '--input-type=module', '--eval', load], {});
  expect(code).toBe(0);
  return performance.now() - from;
}

/** What else later starts keep is in first-run. */
describe('a later start, by the clock,', () => {
  const WARM_START_MS = 5_000;
  /** Of a slow machine; on one that loads the framework within 0.8 s, the five seconds hold. */
  const BARE_STARTS = 6;

  test('is ready in five seconds, or as soon as a slow machine can be', async () => {
    const limit = Math.max(WARM_START_MS, BARE_STARTS * (await bareStartMs()));
    service = await ServiceProcess.start(settings, 'modules');
    // The machine may have been busy with something else for once.
    for (let more = 0; more < 2 && (service.startedInMs ?? 0) > limit; more += 1) {
      await service.end('SIGTERM');
      service = await ServiceProcess.start(settings, 'modules');
    }
    expect(service.startedInMs).toBeLessThanOrEqual(limit);
  }, 180_000);
});

/** For people, on a quiet machine; this one may be busy with something else. */
const [GROUP_MS, OPERATION_MS, SLACK] = [3_000, 2_000, 3];

/** The rest of what the explorer does, which nobody measures, is in docs.browser. */
describeWithChrome('the explorer, by the clock,', (chrome) => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await Browser.launch(chrome, service.url);
  }, 120_000);

  afterAll(() => browser?.close());

  test('opens its largest group and one of its operations in seconds, with all others reachable', async () => {
    const document = (await (await fetch(`${service.quickstart.docs}/openapi.json`)).json()) as OpenApiDocument;
    const ids = operationsOf(document).flatMap(({ operation: { tags, operationId = '' } }) =>
      tags?.[0] === 'Sdk' ? [operationId] : [],
    );
    expect(ids.length).toBeGreaterThan(100);
    const page = await browser.open('/docs');
    const explorer = new Explorer(page, 'largest-group');
    await explorer.ready();
    expect(await explorer.openGroup('Sdk')).toBeLessThan(SLACK * GROUP_MS);
    await explorer.screenshot('open');
    expect(new Set(await explorer.passBy('Sdk'))).toEqual(new Set(ids));
    await page.evaluate('scrollTo(0, 0)');
    expect(await explorer.openOperation('Sdk', ids[0]!)).toBeLessThan(SLACK * OPERATION_MS);
    await explorer.screenshot('operation');
    await page.setViewportSize(PHONE);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    await explorer.screenshot('phone');
    await page.close();
  });

  test('shows an operation as its library would, in a tenth of the time', async () => {
    const page = await browser.open('/docs');
    await new Explorer(page, 'resolver').ready();
    const found = await page.evaluate<{
      isSame: boolean;
      isSeen: boolean;
      own: number;
      library: number;
    }>(`(async () => {
      const { resolveSubtree } = await import('/docs/assets/subtrees.js');
      const spec = await (await fetch('/docs/openapi.json')).json();
      const tiny = { openapi: '3.1.0', info: { title: 'a', version: '1' }, paths: {} };
      const { fn } = SwaggerUIBundle({ domNode: document.createElement('div'), spec: tiny }).getSystem();
      const timed = async (work) => {
        const from = performance.now();
        return { result: await work(), ms: performance.now() - from };
      };
      const path = ['paths', '/environments/{environmentId}', 'put'];
      const library = await timed(() => fn.resolveSubtree(spec, path, { baseDoc: location.href }));
      const own = await timed(() => resolveSubtree(spec, path, location.href));
      const isSame = (one) => JSON.stringify(one) === JSON.stringify(library.result.spec);
      delete spec.components.schemas.ErrorBody.properties.code;
      const isSeen = !isSame(resolveSubtree(spec, path, location.href));
      return { isSame: isSame(own.result), isSeen, own: own.ms, library: library.ms };
    })()`);
    expect(found).toMatchObject({ isSame: true, isSeen: true });
    expect(found.own).toBeLessThan(found.library / 10);
    await page.close();
  });

  test('calls no other host meanwhile, and logs no errors', () => {
    expect([browser.foreignRequests, browser.complaints]).toEqual([[], []]);
  });
});
