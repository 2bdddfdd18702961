export { provision, type Provisioned } from './provision.js';
