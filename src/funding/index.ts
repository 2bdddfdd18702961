export { FundingModule } from './funding.module.js';
