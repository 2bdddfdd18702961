import { metadataSizeExceeded } from './user.errors.js';

/** Size of the JSON in UTF-8 bytes. */
export const MAX_METADATA_BYTES = 16_384;

/** @throws ApiError 422 `metadata_size_exceeded` */
export function assertMetadataSize(metadata: object | null | undefined): void {
  if (metadata && Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES) throw metadataSizeExceeded();
}
