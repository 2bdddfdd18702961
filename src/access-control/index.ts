export { AccessControlModule } from './access-control.module.js';
export { AllowlistImport, IMPORT_BATCH, type ImportedLine } from './allowlists/allowlist-import.service.js';
