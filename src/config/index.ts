export { Config } from './config.js';
export { ConfigModule } from './config.module.js';
export type { ObjectStore } from './object-store.js';
export { ConfigError, type Setting, type VendorAddress } from './setting.js';
export { signerSettings, type SignerSettings } from './signer-settings.js';
export { SETTINGS, type SettingName, type SettingValues } from './settings.js';
