export { CeremonyLocks } from './rooms/ceremony-locks.js';
export { WaasModule } from './waas.module.js';
