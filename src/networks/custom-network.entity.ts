import { Column, Entity, ForeignKey, Index } from 'typeorm';
import { OrganizationEntity } from '../database/index.js';
import type { CustomNetworkType } from './custom-network.dto.js';

export const CUSTOM_NETWORK_ONCE = 'custom_networks_once';

/** An organization's network. Environments use it if their settings enable its number. */
@Entity('custom_networks')
@Index(CUSTOM_NETWORK_ONCE, ['organizationId', 'networkType', 'chainId'], { unique: true })
@ForeignKey('Organization', ['organizationId'], ['id'], {
  name: 'custom_networks_organization',
  onDelete: 'CASCADE',
})
export class CustomNetworkRow extends OrganizationEntity {
  @Column({ type: 'text' })
  networkType!: CustomNetworkType;

  @Column({ type: 'text' })
  chainName!: string;

  @Column({ type: 'text' })
  chainId!: string;

  @Column({ type: 'text' })
  rpcUrl!: string;

  @Column({ type: 'text' })
  blockExplorerUrl!: string;

  @Column({ type: 'text' })
  iconUrl!: string;

  @Column({ type: 'text' })
  nativeCurrencyName!: string;

  @Column({ type: 'text' })
  nativeCurrencySymbol!: string;

  @Column({ type: 'text' })
  nativeCurrencyIconUrl!: string;

  @Column({ type: 'smallint' })
  nativeCurrencyDecimals!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  updatedAt!: Date;
}
