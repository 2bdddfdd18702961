/** Why a vendor gave no usable answer. */
export type VendorFailure = 'timeout' | 'unreachable' | 'rate_limited' | 'refused' | 'oversize' | 'garbage';

/** The message names the vendor and the reason, never an address, which may contain a key. */
export class VendorUnavailableError extends Error {
  override readonly name = 'VendorUnavailableError';

  /** False if the vendor cannot have received the question. */
  readonly wasSent: boolean;
  /** Of its response, if that is why. */
  readonly status: number | null;

  constructor(
    readonly vendor: string,
    readonly reason: VendorFailure,
    { wasSent = true, status = null, ...options }: ErrorOptions & { wasSent?: boolean; status?: number | null } = {},
  ) {
    super(`${vendor} gave no answer: ${reason}`, options);
    this.wasSent = wasSent;
    this.status = status;
  }
}
