export { accessEndpoints } from './access-endpoints.js';
export { AccessControlModule } from './access-control.module.js';
export { SanctionsImport, type ImportedList } from './screening/sanctions-import.js';
export { SanctionsFileError } from './screening/ofac-list.js';
export { AllowlistImport, IMPORT_BATCH, type ImportedLine } from './allowlists/allowlist-import.service.js';
export { AllowlistEntriesService } from './allowlists/allowlist-entries.service.js';
export { AllowlistsService } from './allowlists/allowlists.service.js';
export { GatesService } from './gates/gates.service.js';
