import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { INestApplication } from '@nestjs/common';
import { mintEnvironmentId } from '../auth/index.js';
import { ApiError } from '../common/errors/index.js';
import { Config } from '../config/index.js';
import { SERVICE } from '../organizations/index.js';
import { WebhooksService, type WebhookSecret } from '../webhooks/index.js';
import { LOCAL_WEBHOOK_ID, localWebhookSecret } from './local-webhook.js';
import { CatcherSecrets } from './catcher-secrets.js';
import { printQuickstart, QUICKSTART_FILE, writeQuickstart, type Quickstart } from './quickstart.js';
import { CATCHER_PATH } from './catcher-path.js';
import { isStillThere } from './running-instance.js';
import { admitOwnPages, openSandboxDoors, placeIdentity, renewBotToken } from './sandbox-doors.js';
import { seed } from './seed.js';
import { Quickstarts } from './quickstarts.js';

/** In DATA_DIR: what was logged while the demo was created. */
const DEMO_LOG = 'demo.log';

type LogAside = <T>(path: string, run: () => Promise<T>) => Promise<T>;

/**
 * Prepares a development instance: creates demo data on the first start, and reuses it and its tokens on later ones.
 *
 * @param logAside logs in a file what the demo changes: otherwise the first thing that a new installation says would be
 * events of the security log, and warnings of the webhook that fails on purpose
 */
export async function openForDevelopment(app: INestApplication, logAside: LogAside): Promise<Quickstart> {
  const path = join(app.get(Config).get('DATA_DIR'), DEMO_LOG);
  const quickstarts = app.get(Quickstarts);
  const { isNew, quickstart } = await quickstarts.whileAlone(async () => {
    const usable = await quickstarts.find();
    const prepare = () => prepareQuickstart(app, usable);
    return { isNew: !usable, quickstart: await (usable ? prepare() : logAside(path, prepare)) };
  });
  console.log(printQuickstart(quickstart));
  if (isNew) console.log(ofNewDemo(path));
  return quickstart;
}

function ofNewDemo(path: string): string {
  const log = existsSync(path) ? `\nWhat was logged while the demo was created is in ${path}.` : '';
  return `The first webhook of the demo fails on purpose, so that there is a message to send again.${log}\n`;
}

async function prepareQuickstart(app: INestApplication, usable: Quickstart | null): Promise<Quickstart> {
  const dataDir = app.get(Config).get('DATA_DIR');
  const base = baseOf(app);
  const catcher = `${base}/${CATCHER_PATH}`;
  const quickstart: Quickstart = {
    ...(usable ?? (await seed(app, catcher))),
    api: `${base}/api/v0`,
    docs: `${base}/docs`,
    openapi: `${base}/openapi.json`,
    inbox: `${base}/dev/inbox`,
    catcher,
  };
  app.get(CatcherSecrets).set(localWebhookSecret(dataDir).reveal(), LOCAL_WEBHOOK_ID);
  app.get(CatcherSecrets).lookUpIn((environmentId, webhookId) => secretOf(app, environmentId, webhookId));
  placeIdentity(app, base);
  await (usable ? renewBotToken(app, quickstart) : openSandboxDoors(app, quickstart));
  await admitOwnPages(app, quickstart, base);
  const hasMoved = usable && usable.api !== quickstart.api;
  const other = hasMoved && (await isStillThere(usable, app.getHttpServer() as Server)) ? usable : null;
  await pointWebhooksAt(app, { ...quickstart, catcher: other?.catcher ?? catcher }, usable?.catcher ?? catcher);
  if (other) console.log(besideAnother(other));
  else writeQuickstart(dataDir, quickstart);
  return { ...quickstart, catcher: other?.catcher ?? catcher };
}

/** Instances of a folder share its data, so the demo stays with the one that started first. */
const besideAnother = ({ api, catcher }: Quickstart): string =>
  [
    '',
    `Another instance of this folder is running: ${new URL(api).origin}`,
    `The webhooks of the demo still go to ${catcher}, and ${QUICKSTART_FILE} describes that instance.`,
    'To move them here, stop it and restart this one.',
  ].join('\n');

/** The current secret of a webhook, for those created or changed while the service is running. */
async function secretOf(
  app: INestApplication,
  environmentId: string,
  webhookId: string,
): Promise<WebhookSecret | null> {
  try {
    return await app.get(WebhooksService).secretOf(mintEnvironmentId(environmentId), webhookId);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

/** The public URL; with PORT=0 the port is only known now. */
function baseOf(app: INestApplication): string {
  const config = app.get(Config);
  if (config.get('PUBLIC_URL') || config.get('PORT') !== 0) return config.publicUrl;
  const { port } = (app.getHttpServer() as { address(): { port: number } }).address();
  return `http://localhost:${port}`;
}

/**
 * Updates webhooks to the catcher's current port, and gives the catcher their secrets to verify signatures.
 *
 * @param before the catcher's address at the last start
 */
async function pointWebhooksAt(app: INestApplication, quickstart: Quickstart, before: string): Promise<void> {
  const webhooks = app.get(WebhooksService);
  const environmentId = mintEnvironmentId(quickstart.environments.sandbox.id);
  for (const { webhookId, url, events, isEnabled } of (await webhooks.list(environmentId)).data) {
    if (!new URL(url).pathname.startsWith(`/${CATCHER_PATH}`)) continue;
    const secret = await webhooks.secretOf(environmentId, webhookId);
    app.get(CatcherSecrets).set(secret.reveal(), webhookId);
    const moved = url.startsWith(before) ? quickstart.catcher + url.slice(before.length) : url;
    if (moved !== url) await webhooks.update(environmentId, webhookId, { url: moved, events, isEnabled }, SERVICE);
  }
}
