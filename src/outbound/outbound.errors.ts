/** What went wrong below the level of an HTTP status. For logs and decisions inside; tenants see {@link tenantFailure}. */
export type OutboundErrorKind = 'timeout' | 'dns' | 'tls' | 'refused' | 'blocked' | 'protocol';

/** The whole vocabulary a tenant may see about a failed call; `status` stands for an answer that does not count. */
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
  // The same word as a closed port, so that the answer maps nothing of the network inside.
  blocked: 'refused',
  // Bytes came back, but no usable status.
  protocol: 'status',
};

export function tenantFailure(kind: OutboundErrorKind): TenantFailure {
  return TENANT_FAILURES[kind];
}
