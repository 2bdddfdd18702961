/** The failure below the level of an HTTP status. For logs and internal use; tenants see {@link tenantFailure}. */
export type OutboundErrorKind = 'timeout' | 'dns' | 'tls' | 'refused' | 'blocked' | 'protocol';

/** All that tenants may learn about a failed call; `status` means an unacceptable response. */
export type TenantFailure = 'timeout' | 'dns' | 'tls' | 'refused' | 'status';

/** `message` and `cause` may name addresses and are for logs only. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';

  constructor(
    readonly kind: OutboundErrorKind,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

const TENANT_FAILURES: Record<OutboundErrorKind, TenantFailure> = {
  timeout: 'timeout',
  dns: 'dns',
  tls: 'tls',
  refused: 'refused',
  // The same word as for a closed port, so that the response cannot be used to map the internal network.
  blocked: 'refused',
  // Bytes came back, but no usable status.
  protocol: 'status',
};

export function tenantFailure(kind: OutboundErrorKind): TenantFailure {
  return TENANT_FAILURES[kind];
}
