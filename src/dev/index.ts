export { CatcherSecrets } from './catcher-secrets.js';
export { DevModule } from './dev.module.js';
export { printQuickstart, readQuickstart, writeQuickstart, type Quickstart } from './quickstart.js';
export { LOCAL_WEBHOOK_ID, localWebhookSecret } from './local-webhook.js';
export { Quickstarts } from './quickstarts.js';
export { openForDevelopment } from './open-for-development.js';
