import type { SignerCalls } from '../../../vault/index.js';
import type { SplitSigner } from '../../split/split-signer.js';
import type { ThresholdSigner } from '../../threshold/threshold-signer.js';
import type { WalletSigner } from '../wallet-signer.js';

/** What a signer can do, in whichever process it runs. */
export interface Signers {
  readonly wallet: WalletSigner;
  readonly threshold: ThresholdSigner;
  readonly split: SplitSigner;
}

/** What another process may call: every operation of the ports, and nothing else on their objects. */
const OPERATIONS: { readonly [P in keyof Signers]: Readonly<Record<keyof Signers[P], true>> } = {
  wallet: {
    createSeed: true,
    derive: true,
    sign: true,
    export: true,
    deal: true,
    createReceiver: true,
    receive: true,
    release: true,
    admit: true,
    rewrap: true,
  },
  threshold: {
    beginKeygen: true,
    makeKey: true,
    beginReshare: true,
    shareAnew: true,
    proveKey: true,
    deal: true,
    beginSigning: true,
    sign: true,
    rewrapShares: true,
    rewrapState: true,
  },
  split: {
    beginKeygen: true,
    takeShares: true,
    beginSigning: true,
    assertIsFor: true,
    release: true,
    export: true,
  },
};

/** An operation that no signer has. */
export class UnknownOperation extends Error {
  override readonly name = 'UnknownOperation';
}

/** Runs an operation by its name, such as `wallet.sign`. */
export async function operate(signers: Signers, operation: string, args: readonly unknown[]): Promise<unknown> {
  const [port = '', name = ''] = operation.split('.');
  const isKnown = Object.hasOwn(OPERATIONS, port) && Object.hasOwn(OPERATIONS[port as keyof Signers], name);
  if (!isKnown) throw new UnknownOperation(operation);
  const signer = signers[port as keyof Signers] as unknown as Record<string, (...given: unknown[]) => unknown>;
  return signer[name]!(...args);
}

/** A port whose operations are performed by another process. */
export function remotePort<P extends keyof Signers>(port: P, signer: SignerCalls): Pick<Signers[P], keyof Signers[P]> {
  const calls = Object.keys(OPERATIONS[port]).map((name) => [
    name,
    (...args: unknown[]) => signer.call(`${port}.${name}`, args),
  ]);
  return Object.fromEntries(calls) as Pick<Signers[P], keyof Signers[P]>;
}
