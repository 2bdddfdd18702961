import { sign, type KeyObject } from 'node:crypto';
import type { HpkeKem, HpkeMessage } from '../../custody/index.js';

/** The binding of an export: the recipient has to supply all of it to open the bundle. */
export interface ExportBinding {
  readonly environmentId: string;
  readonly userId: string;
  readonly walletId: string;
  readonly activityId: string;
}

const VERSION = 'export/v1';

/** The HPKE `info`: `export/v1|environment|user|wallet|activity`. Ids contain no bar. */
export const exportInfo = ({ environmentId, userId, walletId, activityId }: ExportBinding): Buffer =>
  Buffer.from([VERSION, environmentId, userId, walletId, activityId].join('|'));

/** What the environment signs: the line breaks set it apart from any token signed with the same key. */
const signedBytes = (binding: ExportBinding, { enc, ciphertext }: HpkeMessage): Buffer =>
  Buffer.concat([exportInfo(binding), Buffer.from(`\n${enc.toString('hex')}\n${ciphertext.toString('hex')}\n`)]);

interface BundleParts {
  readonly binding: ExportBinding;
  readonly kem: HpkeKem;
  readonly message: HpkeMessage;
  readonly address: string;
  readonly signer: { readonly kid: string; readonly privateKey: KeyObject };
}

/** The text handed out. Only the recipient's private key opens it; docs/wallet-export.md says how. */
export function exportBundle({ binding, kem, message, address, signer }: BundleParts): string {
  const signature = sign('sha256', signedBytes(binding, message), signer.privateKey);
  return JSON.stringify({
    version: VERSION,
    kem,
    kdf: 'HKDF-SHA256',
    aead: 'AES-256-GCM',
    enc: message.enc.toString('base64url'),
    ciphertext: message.ciphertext.toString('base64url'),
    address,
    kid: signer.kid,
    signature: signature.toString('base64url'),
  });
}
