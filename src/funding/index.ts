export { FundingModule } from './funding.module.js';
export { fundingEndpoints } from './vendor-endpoints.js';
