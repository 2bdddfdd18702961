export { CreateOneTimeLinks20270101000100 } from './20270101000100-create-one-time-links.js';
export { OneTimeLinksModule } from './one-time-links.module.js';
