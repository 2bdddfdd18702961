export { CatcherSecrets } from './catcher-secrets.js';
export { DevModule } from './dev.module.js';
export { printQuickstart, readQuickstart, writeQuickstart, type Quickstart } from './quickstart.js';
export { Quickstarts } from './quickstarts.repository.js';
export { openForDevelopment } from './open-for-development.js';
