export { AccessControlModule } from './access-control.module.js';
