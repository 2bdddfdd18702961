export { HouseRulesModule } from './house-rules.module.js';
export { Maintenance, MaintenanceGuard } from './maintenance.guard.js';
export { NormalForm } from './normal-form.pipe.js';
export { ServedBy } from './served-by.middleware.js';
export { ServerTiming } from './server-timing.interceptor.js';
export { VendorOutageFilter } from './vendor-outage.filter.js';
export * from './house-rules.errors.js';
