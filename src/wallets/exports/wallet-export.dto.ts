import { StringField, StringListField, UuidField } from '../../common/fields/index.js';

export class ExportWaasWalletPrivateKeyRequest {
  @StringField({
    description:
      'The public key to seal the private key to, generated for this export only: base58 of an uncompressed P-256 point (65 bytes) or of an X25519 key (32 bytes).',
    example: 'CJJVwz8n6sEVyzWHXF3zxrVYzaMuzCcP4vVLpTEAmSPk',
  })
  exportId!: string;

  @StringField({ optional: true, description: 'Refused: an embedded wallet has only one kind of address.' })
  addressType?: string;
}

export class OpenRoomResponseWithServerKeygenIds {
  @StringField({ description: 'Id of the activity; embeddedWalletExport returns its bundle.' })
  roomId!: string;

  @StringListField({ description: 'Empty: keys of version V1 have no shares.' })
  serverKeygenIds!: string[];

  @StringListField({ optional: true })
  newServerKeygenIds?: string[];

  @UuidField({ optional: true })
  walletId?: string;
}

export class ExportEmbeddedWalletResponse {
  @StringField({ description: 'JSON text: the sealed content, its cipher suite and the signature of the environment.' })
  exportBundle!: string;
}
