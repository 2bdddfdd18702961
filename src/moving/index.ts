export { ArchiveReader, type VerifiedArchive } from './archive-reader.js';
export { EnvironmentExport, type ExportedArchive } from './environment-export.js';
export { EnvironmentImport, type ImportResult } from './environment-import.js';
export { EnvironmentSurvey, type Survey } from './environment-survey.js';
export {
  MovingPart,
  MovingParts,
  moves,
  stays,
  type ArchivedRow,
  type Arrival,
  type MovedTable,
  type Passage,
  type Renewal,
  type SealedAnew,
  type SealHands,
} from './moving-part.js';
export { MovingRefusedError } from './moving-refused.error.js';
export { MovingModule } from './moving.module.js';
export { newOperatorKey, parseOperatorPublicKey, parseOperatorSecret } from './operator-key.js';
