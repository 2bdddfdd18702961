export { HttpThresholdEcdsa, type EcdsaServiceSettings } from './http-threshold-ecdsa.js';
export { ThresholdEcdsaCustodian } from './threshold-ecdsa-custodian.js';
export { ThresholdEcdsaModule } from './threshold-ecdsa.module.js';
