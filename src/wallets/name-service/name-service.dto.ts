import { DateField, PickOf, StringField, UuidField } from '../../common/fields/index.js';

const ADDRESS = /^[A-Za-z0-9]+$/;

/** The domain of an environment on a chain; its users have names below it. */
export class NameServiceSettings {
  @UuidField()
  id!: string;

  @StringField({ max: 255, pattern: ADDRESS, description: 'The address that owns the domain and signed the message.' })
  address!: string;

  @StringField({ min: 1, max: 255, example: 'example.eth' })
  domain!: string;

  @DateField({ optional: true, nullable: true })
  enabledAt?: Date | null;

  @StringField({
    optional: true,
    description:
      "The signer of the gateway's answers, which the resolver of the domain must trust. Present once the service has been enabled.",
  })
  signerAddress?: string;

  @StringField({ description: 'URL of the ERC-3668 gateway that the resolver of the domain must name.' })
  gatewayUrl!: string;
}

export class NameServiceCreateRequest extends PickOf(NameServiceSettings, ['address', 'domain']) {
  @StringField({ description: 'Signature of the newest message from fetchNameServiceSigningMessage for this address.' })
  signature!: string;
}

export class NameServiceSigningMessageRequest extends PickOf(NameServiceSettings, ['address', 'domain']) {
  @StringField({
    format: 'uri',
    description: 'The page on which the owner signs: http or https, on a domain, `localhost` or an IPv4 address.',
  })
  uri!: string;
}

export class NameServiceSigningMessage {
  @StringField({ description: 'To be signed unchanged (ERC-191), within ten minutes.' })
  unsignedMessage!: string;
}

/** A name of one of the caller's wallets. */
export class OwnName {
  @StringField({ min: 3, max: 63, example: 'ann', description: 'The label below the domain: a-z 0-9 -' })
  handle!: string;

  @StringField({ max: 255, pattern: ADDRESS, description: 'A wallet that the caller has proven.' })
  address!: string;

  @StringField({ example: 'ann.example.eth' })
  name!: string;
}

export class OwnNameRequest extends PickOf(OwnName, ['handle', 'address']) {}

/** A gateway's answer as required by EIP-3668. */
export class GatewayAnswer {
  @StringField({
    example: `0x${'00'.repeat(31)}60`,
    description: 'ABI: (bytes result, uint64 expires, bytes signature).',
  })
  data!: string;
}
