import { EnumField, StringField, StringListField, type EnumValue } from '../../common/fields/index.js';
import { THRESHOLD_SCHEMES } from '../../identity/index.js';
import { WAAS_CHAINS } from '../record/wallet-detail.dto.js';

export class ImportWaasPrivateKeyRequest {
  @EnumField(WAAS_CHAINS, { description: 'The chain of the key: `EVM`, `SVM`, `SUI` or `BTC`.' })
  chain!: EnumValue<typeof WAAS_CHAINS>;

  @StringListField({
    maxLength: 100,
    pattern: /^[1-9A-HJ-NP-Za-km-z]+$/,
    description: 'Empty: an imported key has no shares.',
  })
  clientKeygenIds!: string[];

  @EnumField(THRESHOLD_SCHEMES, {
    description: 'Not used: an imported key is held whole and encrypted by the service (version V1).',
  })
  thresholdSignatureScheme!: EnumValue<typeof THRESHOLD_SCHEMES>;
}

export class CompletePrivateKeyImportRequest {
  @StringField({
    description: 'The HPKE encapsulated key in base64url: 65 bytes for P-256, 32 for X25519.',
    example: 'K3OTs2mdkcjC1zUvM4OMp5LY0L9B5CWQxCiXUE6cdh4',
    max: 100,
  })
  enc!: string;

  @StringField({
    description: 'The sealed 32-byte private key with its tag, in base64url.',
    example: 'jJcA3DmZ8nKQkIR6Gc6A1q0C0vIgxQmKZ5V8qkFj1nq0d4X0N3f3m2k1o6pZ9r7t',
    max: 100,
  })
  ciphertext!: string;

  @StringField({
    description: 'The address of the key, exactly as in the additional data.',
    example: '0x2c7536E3605D9C16a7a3D7b1898e529396a65c23',
    max: 255,
  })
  address!: string;
}
