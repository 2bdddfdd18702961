export { KeyVendor } from './key-vendor.js';
export { VendorCustodian } from './vendor-custodian.js';
export { VendorKeysMoving } from './vendor-keys.moving.js';
export { VendorKeysRepository } from './vendor-keys.repository.js';
export { VendorKeysRow } from './vendor-keys.entity.js';
export { VendorCustodianModule } from './vendor-custodian.module.js';
export { VendorKeysShredder } from './vendor-keys-shredder.job.js';
