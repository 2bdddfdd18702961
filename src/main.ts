import {
  createApp,
  explainStartFailure,
  prepare,
  readyLine,
  speakForNode,
  stopOnSignals,
  voiceOf,
} from './bootstrap/index.js';
import { Config } from './config/index.js';
import { openForDevelopment } from './dev/index.js';
import { MetricsServer } from './observability/index.js';
import { collectStart, tuneHeap } from './patches/index.js';

async function start(): Promise<void> {
  tuneHeap();
  const settings = Config.load();
  const voice = await voiceOf(settings.isProduction, settings.get('LOG_LEVEL'));
  if (settings.isProduction) speakForNode(voice);
  const prepared = await prepare(settings, (line) => voice.complain(line));
  const { config } = prepared;
  try {
    const app = await createApp(prepared);
    stopOnSignals(app, () => prepared.stop(), voice);
    if (config.answersRequests) await app.listen(config.get('PORT'), config.get('HOST'));
    else await app.init();
    await app.get(MetricsServer).start();
    if (config.get('SEED')) await openForDevelopment(app);
    else voice.say(readyLine(app));
    collectStart();
  } catch (error) {
    await prepared.stop();
    throw error;
  }
}

start().catch(async (error: unknown) => {
  (await voiceOf(Config.meansProduction())).complain(explainStartFailure(error));
  process.exit(1);
});
