import { Injectable } from '@nestjs/common';
import type { EnvironmentId } from '../../auth/index.js';
import { AccountNetworks } from '../account-networks.js';
import { asApiError } from '../chain-faults.js';
import { ChainReader } from '../rpc/chain-reader.js';
import {
  decodeTransaction,
  encodeTransaction,
  MOST_BYTES,
  transactionBytes,
  writableAccounts,
} from '../solana/solana-transaction.js';
import type { SolanaTransactionOptimizationRequest, SolanaTransactionOptimizationResponse } from './fee.dto.js';
import { transactionNotOptimizable } from './fee.errors.js';
import { hasPriorityFee, isSigned, usualFee, withPriorityFee } from './priority-fee.js';

const SOLANA = 'SOL';
/** A higher fee is someone's mistake: 0.001 SOL for the usual 200 000 compute units. */
const MOST_MICRO_LAMPORTS = 5_000_000n;

/** Sets the priority fee of transactions to what recent blocks required. */
@Injectable()
export class FeesService {
  constructor(
    private readonly networks: AccountNetworks,
    private readonly chains: ChainReader,
  ) {}

  /** A transaction that sets its own priority fee, or needs none right now, is returned unchanged. */
  async optimize(
    environmentId: EnvironmentId,
    { transaction: text, address }: SolanaTransactionOptimizationRequest,
  ): Promise<SolanaTransactionOptimizationResponse> {
    const bytes = transactionBytes(text);
    if (!bytes) throw transactionNotOptimizable({ payload: { reason: 'malformed' } });
    const transaction = decodeTransaction(bytes);
    if (isSigned(transaction)) throw transactionNotOptimizable({ payload: { reason: 'signed' } });
    if (transaction.accounts[0] !== address) throw transactionNotOptimizable({ payload: { reason: 'other_payer' } });
    if (hasPriorityFee(transaction)) return { transaction: base64(bytes) };
    const [networkId] = await this.networks.enabled(environmentId, SOLANA);
    const network = { chain: SOLANA, networkId: networkId! };
    const fees = this.chains.priorityFees(environmentId, network, writableAccounts(transaction));
    const fee = usualFee((await asApiError(fees)).value);
    if (fee === null) return { transaction: base64(bytes) };
    const paying = encodeTransaction(
      withPriorityFee(transaction, fee < MOST_MICRO_LAMPORTS ? fee : MOST_MICRO_LAMPORTS),
    );
    if (paying.length > MOST_BYTES) throw transactionNotOptimizable({ payload: { reason: 'too_long' } });
    return { transaction: base64(paying) };
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
