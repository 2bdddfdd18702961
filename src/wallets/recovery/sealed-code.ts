import { invalidFields } from '../../common/http/validation.pipe.js';
import { kemOf, sealTo, type HpkeKem } from '../../vault/index.js';

/** An uncompressed P-256 point or an X25519 public key. */
const PUBLIC_KEY = /^(?:[0-9a-f]{130}|[0-9a-f]{64})$/i;

/** The key that the text of a mail is sealed to, so that the mailbox alone is of no use. */
export interface TargetKey {
  readonly kem: HpkeKem;
  readonly publicKey: Buffer;
}

/** What a sealed text is bound to: the recipient has to supply all of it to open the text. */
export interface CodeBinding {
  readonly purpose: 'email-auth/v1' | 'passkey-recovery/v1';
  readonly environmentId: string;
  readonly userId: string;
  readonly walletId: string;
  readonly id: string;
}

/** @throws ApiError validation_failed for an invalid public key */
export async function targetKeyOf(field: string, text: string): Promise<TargetKey> {
  const publicKey = Buffer.from(PUBLIC_KEY.test(text) ? text : '', 'hex');
  const kem = await kemOf(publicKey);
  if (!kem) {
    throw invalidFields([{ field, message: `${field} must be a public key of P-256 or X25519 in hexadecimal` }]);
  }
  return { kem, publicKey };
}

/** base64url of the encapsulated key and the ciphertext (HPKE base mode); docs/wallet-recovery.md says how it opens. */
export async function sealedCode(
  target: TargetKey,
  { purpose, environmentId, userId, walletId, id }: CodeBinding,
  secret: Uint8Array,
): Promise<string> {
  const info = Buffer.from([purpose, environmentId, userId, walletId, id].join('|'));
  const { enc, ciphertext } = await sealTo({ ...target, info }, secret, new Uint8Array());
  return Buffer.concat([enc, ciphertext]).toString('base64url');
}
