import { StringField, StringListField, UuidField } from '../../common/fields/index.js';

export class ExportWaasWalletPrivateKeyRequest {
  @StringField({
    description:
      'The public key that the private key is to be sealed to, made for this export alone: base58 of an uncompressed P-256 point (65 bytes) or of an X25519 key (32 bytes).',
    example: 'CJJVwz8n6sEVyzWHXF3zxrVYzaMuzCcP4vVLpTEAmSPk',
  })
  exportId!: string;

  @StringField({ optional: true, description: 'Refused: an embedded wallet has one kind of address.' })
  addressType?: string;
}

export class OpenRoomResponseWithServerKeygenIds {
  @StringField({ description: 'The id of the activity whose bundle `embeddedWalletExport` returns.' })
  roomId!: string;

  @StringListField({ description: 'Empty: keys of version V1 have no shares.' })
  serverKeygenIds!: string[];

  @StringListField({ optional: true })
  newServerKeygenIds?: string[];

  @UuidField({ optional: true })
  walletId?: string;
}

export class ExportEmbeddedWalletResponse {
  @StringField({ description: 'JSON text: the encrypted key, the cipher suite, and the environment’s signature.' })
  exportBundle!: string;
}
