import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EnvironmentSettingsReader } from '../../environments/index.js';
import type { EnvironmentId } from '../../database/index.js';
import { CATALOGUE, RpcNetworks } from '../../networks/index.js';
import { networkNotAllowed } from '../custody.errors.js';
import { SigningPolicies, SigningPolicy, type SigningQuestion } from './signing-policies.js';

const EVM = 'EVM';

/**
 * Restricts signatures to the environment's networks: those it has enabled, or all main networks of the catalogue if it
 * names none, and its organization's custom ones.
 */
@Injectable()
export class NetworkPolicy extends SigningPolicy implements OnModuleInit {
  constructor(
    private readonly settings: EnvironmentSettingsReader,
    private readonly networks: RpcNetworks,
    private readonly policies: SigningPolicies,
  ) {
    super();
  }

  onModuleInit(): void {
    this.policies.register(this);
  }

  override async authorize({ environmentId, networkId }: SigningQuestion): Promise<null> {
    if (networkId === null) return null;
    const catalogued = CATALOGUE.find((known) => known.chain === EVM && known.networkId === networkId);
    const isAllowed = catalogued
      ? await this.isEnabled(environmentId, networkId, catalogued.isTestnet)
      : (await this.networks.find(environmentId, { chain: EVM, networkId })) !== null;
    if (!isAllowed) throw networkNotAllowed({ payload: { networkId } });
    return null;
  }

  private async isEnabled(environmentId: EnvironmentId, networkId: number, isTestnet: boolean): Promise<boolean> {
    const { chains } = await this.settings.get(environmentId);
    const evm = chains.find(({ name }) => name === EVM);
    if (!evm?.enabled) return false;
    const named = (evm.networks ?? []).filter(({ enabled }) => enabled);
    return named.length > 0 ? named.some((network) => network.networkId === networkId) : !isTestnet;
  }
}
