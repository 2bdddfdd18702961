import {
  assertUsableAddresses,
  createApp,
  explainStartFailure,
  logAside,
  prepare,
  readyLine,
  speakForNode,
  stopOnSignals,
  voiceOf,
} from './bootstrap/index.js';
import { Config, ConfigError } from './config/index.js';
import { openSigner } from './custody/index.js';
import { openForDevelopment } from './dev/index.js';
import { Opening } from './health/index.js';
import { MetricsServer } from './observability/index.js';
import { collectStart, optimizeSoon, tuneHeap } from './patches/index.js';

async function start(): Promise<void> {
  tuneHeap();
  const settings = Config.load();
  if (settings.get('ROLE') === 'signer') {
    throw new ConfigError(
      'ROLE=signer is a separate program: start it with npm start, or with node dist/signer.js after npm run build.',
    );
  }
  await assertUsableAddresses(settings);
  const voice = await voiceOf(settings.isProduction, settings.get('LOG_LEVEL'));
  if (settings.isProduction) speakForNode(voice);
  const preparing = prepare(settings, (line) => voice.complain(line));
  let signer: ReturnType<typeof openSigner> = null;
  const stop = async (): Promise<void> => {
    await signer?.close();
    // A database that is starting can only be stopped once it runs.
    const prepared = await preparing.catch(() => null);
    await prepared?.stop();
  };
  const stopping = stopOnSignals(stop, voice);
  try {
    const prepared = await preparing;
    if (stopping.isBegun) return;
    const { config, ring } = prepared;
    signer = openSigner(config, ring, (line) => voice.complain(line));
    const app = await createApp({ ...prepared, signer });
    stopping.serves(app);
    const opening = app.get(Opening);
    if (config.get('SEED')) opening.begin('The demo data is being created.');
    if (config.answersRequests) await app.listen(config.get('PORT'), config.get('HOST'));
    else await app.init();
    await app.get(MetricsServer).start();
    if (config.get('SEED')) {
      await openForDevelopment(app, (path, run) => logAside(app, path, run));
      opening.finish();
    } else voice.say(readyLine(app));
    optimizeSoon();
    collectStart();
    // Not earlier, since both would compete for the CPU. Jobs open no keys, so a worker's signer starts on its first call.
    if (config.answersRequests) signer?.begin();
  } catch (error) {
    if (stopping.isBegun) return;
    await stop();
    throw error;
  }
}

/** Runs the service in this process until it is told to stop. If it cannot start, prints the reason and exits with 1. */
export async function runService(): Promise<void> {
  await start().catch(async (error: unknown) => {
    (await voiceOf(Config.meansProduction())).complain(explainStartFailure(error));
    process.exit(1);
  });
}
