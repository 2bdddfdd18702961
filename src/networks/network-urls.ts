import { Injectable } from '@nestjs/common';
import { egressEvent, EgressPolicy } from '../outbound/index.js';
import type { CustomNetworkRequest } from './custom-network.dto.js';
import { networkUrlRefused } from './custom-network.errors.js';

const ADDRESSES = ['rpcUrl', 'blockExplorerUrl', 'iconUrl', 'nativeCurrencyIconUrl'] as const;

/** Decides which URLs a network may have: both the service and browsers send requests to them. */
@Injectable()
export class NetworkUrls {
  constructor(private readonly policy: EgressPolicy) {}

  /** URLs are kept as given: nodes distinguish tenants by the path. @throws networkUrlRefused */
  assertAllowed(network: CustomNetworkRequest): void {
    const fields = ADDRESSES.flatMap((field) => {
      const verdict = this.policy.checkUrl(network[field]);
      return verdict.allowed ? [] : [{ field, message: verdict.message, reason: verdict.reason }];
    });
    if (fields.length === 0) return;
    const events = fields.map(({ reason }) => egressEvent(reason));
    throw networkUrlRefused({ payload: { fields }, ...events.find(({ security }) => security) });
  }
}
