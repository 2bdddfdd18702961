import { createApp, explainStartFailure, prepare, stopOnSignals } from './bootstrap/index.js';
import { Config } from './config/index.js';
import { openForDevelopment } from './dev/index.js';
import { MetricsServer } from './observability/index.js';
import { collectStart, tuneHeap } from './patches/index.js';

async function start(): Promise<void> {
  tuneHeap();
  const prepared = await prepare(Config.load(), (line) => console.error(line));
  const { config } = prepared;
  try {
    const app = await createApp(prepared);
    stopOnSignals(app, () => prepared.stop());
    if (config.answersRequests) await app.listen(config.get('PORT'), config.get('HOST'));
    else await app.init();
    await app.get(MetricsServer).start();
    if (config.get('SEED')) await openForDevelopment(app);
    collectStart();
  } catch (error) {
    await prepared.stop();
    throw error;
  }
}

start().catch((error: unknown) => {
  console.error(explainStartFailure(error));
  process.exit(1);
});
