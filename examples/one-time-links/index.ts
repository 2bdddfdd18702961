export { OneTimeLinksModule } from './one-time-links.module.js';
