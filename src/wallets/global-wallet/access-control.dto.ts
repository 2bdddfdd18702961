import {
  DateField,
  defineEnum,
  EnumField,
  ListField,
  PickOf,
  StringField,
  UuidField,
  type EnumValue,
} from '../../common/fields/index.js';

export const ACCESS_CONTROL_TYPES = defineEnum('GlobalWalletAccessControlTypeEnum', ['allow', 'block']);
export type AccessControlType = EnumValue<typeof ACCESS_CONTROL_TYPES>;

export const ORIGIN =
  /^(https?|chrome-extension|moz-extension):\/\/(?!.*(\*).*(\*).*)[*a-zA-Z0-9._-]{1,256}(:[*0-9]{1,5})?$/;

/** A site listed in the access control of a global wallet. */
export class GlobalWalletAccessControlDomainResponse {
  @UuidField()
  id!: string;

  @StringField({
    pattern: ORIGIN,
    description:
      'Scheme, host and port of the site, as its browser sends them. The leftmost label can be a wildcard, below a domain that has a single owner.',
    example: 'https://shop.example.com',
  })
  domain!: string;

  @DateField()
  createdAt!: Date;
}

export class DeletedGlobalWalletDomain extends PickOf(GlobalWalletAccessControlDomainResponse, ['id', 'domain']) {}

export class GlobalWalletAccessControlDomainCreateRequest extends PickOf(GlobalWalletAccessControlDomainResponse, [
  'domain',
]) {}

/** Which sites a global wallet may be connected to. */
export class GlobalWalletAccessControlResponse {
  @UuidField()
  id!: string;

  @UuidField()
  projectEnvironmentId!: string;

  @EnumField(ACCESS_CONTROL_TYPES, {
    description: 'allow: only the listed sites. block: all sites except those listed. Applies while it is enabled.',
  })
  type!: AccessControlType;

  @DateField({ nullable: true })
  enabledAt!: Date | null;

  @ListField(() => GlobalWalletAccessControlDomainResponse)
  domains!: GlobalWalletAccessControlDomainResponse[];
}

export class GlobalWalletAccessControlUpdateRequest extends PickOf(GlobalWalletAccessControlResponse, ['type']) {}
