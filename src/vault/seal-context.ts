/**
 * What a secret is and whose it is. A blob opens only under the context it was sealed for, so a ciphertext moved to
 * another row, tenant or column is refused.
 */
export interface SealContext {
  /** Part of the system that owns the secret, for instance `wallet` or `environment-key`. */
  readonly purpose: string;
  readonly environmentId: string;
  /** Absent where the secret belongs to no user. */
  readonly userId?: string;
  /** Id of the row that holds the blob. */
  readonly subjectId: string;
  /** Kind of secret within the purpose, for instance `hd-entropy`. */
  readonly kind: string;
}

const MAX_FIELD_BYTES = 0xffff;

/**
 * Additional authenticated data of a context: `purpose | environmentId | userId | subjectId | kind`, each as a 16-bit
 * big-endian byte length and its UTF-8 bytes (an absent user is length 0), then the format version in one byte.
 * Different contexts never encode alike.
 *
 * @throws TypeError if a field is empty, longer than 65 535 bytes or not well-formed Unicode
 */
export function additionalData(context: SealContext, version: number): Buffer {
  const { purpose, environmentId, userId, subjectId, kind } = context;
  return Buffer.concat([
    field(purpose),
    field(environmentId),
    userId === undefined ? Buffer.alloc(2) : field(userId),
    field(subjectId),
    field(kind),
    Buffer.of(version),
  ]);
}

function field(value: string): Buffer {
  // A lone surrogate becomes U+FFFD in UTF-8, which would let two different values share one encoding.
  if (value === '' || !value.isWellFormed()) throw new TypeError('Seal context fields must be well-formed and filled.');
  const byteLength = Buffer.byteLength(value);
  if (byteLength > MAX_FIELD_BYTES) throw new TypeError('Seal context field is too long.');
  const encoded = Buffer.allocUnsafe(2 + byteLength);
  encoded.writeUInt16BE(byteLength, 0);
  encoded.write(value, 2);
  return encoded;
}
