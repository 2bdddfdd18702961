export { WaasModule } from './waas.module.js';
