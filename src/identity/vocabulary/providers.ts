export { PROVIDER_KINDS, type ProviderKind } from '../../providers/index.js';
