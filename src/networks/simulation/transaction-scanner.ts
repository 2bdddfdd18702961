import { Injectable } from '@nestjs/common';
import { Config } from '../../config/index.js';
import { foreignText } from '../foreign-text.js';
import { BLOCKAID_API } from '../sources/blockaid.js';
import { VendorClient } from '../sources/vendor-client.js';
import { VendorUnavailableError } from '../sources/vendor-unavailable.error.js';
import type { EvmCall } from './evm-simulator.js';
import type { TransactionRiskValidation } from './simulation.dto.js';

const VENDOR = 'blockaid';
/** The vendor's network names, by EIP-155 chain id. */
const NETWORKS: Readonly<Record<number, string>> = {
  1: 'ethereum',
  10: 'optimism',
  56: 'bsc',
  100: 'gnosis',
  137: 'polygon',
  324: 'zksync',
  8453: 'base',
  42161: 'arbitrum',
  43114: 'avalanche',
  59144: 'linea',
  81457: 'blast',
  534352: 'scroll',
};
/** At most this many calls of a user operation are scanned. */
const MAX_CALLS = 5;

/** A service that judges transactions: a chain does not know whether a counterparty is to be trusted. */
export abstract class TransactionScanner {
  /** The worst verdict; null if none is configured or it does not know the network. */
  abstract judge(networkId: number, calls: readonly EvmCall[]): Promise<TransactionRiskValidation | null>;
}

/** https://docs.blockaid.io/reference/scan-transaction-evm: `POST /evm/transaction/scan`. */
@Injectable()
export class BlockaidTransactions extends TransactionScanner {
  constructor(
    private readonly config: Config,
    private readonly vendors: VendorClient,
  ) {
    super();
  }

  /** An unavailable scanner is reported as such, and does not hide the simulation's own result. */
  override async judge(networkId: number, calls: readonly EvmCall[]): Promise<TransactionRiskValidation | null> {
    const key = this.config.get('BLOCKAID_API_KEY');
    const chain = NETWORKS[networkId];
    if (key === null || chain === undefined) return null;
    try {
      const verdicts = await Promise.all(calls.slice(0, MAX_CALLS).map((call) => this.scan(key, chain, call)));
      return verdicts.reduce<TransactionRiskValidation | null>(worse, null);
    } catch (error) {
      if (!(error instanceof VendorUnavailableError)) throw error;
      return { result: null, reason: 'scanner_unavailable', description: 'The scanning service gave no answer.' };
    }
  }

  private scan(key: string, chain: string, { from, to, value, data }: EvmCall): Promise<TransactionRiskValidation> {
    const base = this.config.get('PROVIDER_ADDRESSES')[VENDOR]?.api ?? BLOCKAID_API;
    const body = JSON.stringify({
      chain,
      account_address: from,
      data: { from, to, data, value: `0x${value.toString(16)}` },
      metadata: { non_dapp: true },
      options: ['validation'],
    });
    const urls = [`${base.replace(/\/+$/, '')}/evm/transaction/scan`];
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    return this.vendors.json({ vendor: VENDOR, urls, method: 'POST', headers, body }, validationOf);
  }
}

const RANKS = [null, 'Benign', 'Warning', 'Error', 'Malicious'] as const;
const rankOf = ({ result }: TransactionRiskValidation): number => RANKS.indexOf(result);

function worse(one: TransactionRiskValidation | null, other: TransactionRiskValidation): TransactionRiskValidation {
  return one !== null && rankOf(one) >= rankOf(other) ? one : other;
}

/** The simulation's verdict wins if it is at least as bad; a vendor without a verdict changes nothing. */
export const joinedValidation = (
  ofChain: TransactionRiskValidation | undefined,
  ofVendor: TransactionRiskValidation | null,
): TransactionRiskValidation | undefined => {
  if (ofVendor === null || ofChain === undefined) return ofVendor ?? ofChain;
  return ofChain.reason === '' ? ofVendor : worse(ofChain, ofVendor);
};

function validationOf(value: unknown): TransactionRiskValidation {
  const { validation } = (value ?? {}) as { validation?: Record<string, unknown> };
  const result = RANKS.find((rank) => rank !== null && rank === validation?.['result_type']);
  const text = (name: string): string => {
    const said = validation?.[name];
    return typeof said === 'string' ? foreignText(said, 500) : '';
  };
  if (validation?.['status'] === 'Error') return { result: null, reason: 'scanner_unavailable' };
  if (!result) throw new VendorUnavailableError(VENDOR, 'garbage');
  const [description, classification] = [text('description'), text('classification')];
  return {
    result,
    reason: text('reason') || 'vendor',
    ...(description && { description }),
    ...(classification && { classification }),
  };
}
