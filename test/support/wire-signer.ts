import { duplexPair } from 'node:stream';
import { LocalWalletSigner } from '../../src/custody/signer/local-wallet-signer.js';
import { KeptSigner } from '../../src/custody/signer/process/kept-signer.js';
import { serveSigner } from '../../src/custody/signer/process/serve-signer.js';
import { SignerLink } from '../../src/custody/signer/process/signer-link.js';
import { SeedVault } from '../../src/custody/signer/seed-vault.js';
import { SplitSigner } from '../../src/custody/split/split-signer.js';
import { ThresholdSigner } from '../../src/custody/threshold/threshold-signer.js';
import { Envelope, type KeyVault, type SignerCalls } from '../../src/vault/index.js';

/**
 * With GATEHOUSE_TEST_SIGNER=wire, applications of tests ask their signer as they would ask another process, over a stream
 * within this one: what crosses is then tried by every suite that uses keys.
 */
export const signerOfRun = (vault: KeyVault): SignerCalls | null =>
  process.env['GATEHOUSE_TEST_SIGNER'] === 'wire' ? wireSigner(vault) : null;

/** A signer at the other end of a stream. */
export function wireSigner(vault: KeyVault): SignerCalls {
  const envelope = new Envelope(vault);
  const [near, other] = duplexPair();
  const signers = {
    wallet: new LocalWalletSigner(new SeedVault(envelope)),
    threshold: new ThresholdSigner(envelope),
    split: new SplitSigner(envelope),
  };
  serveSigner(other, signers, () => undefined);
  const link = new SignerLink(near);
  return new KeptSigner(
    () => Promise.resolve(link),
    () => undefined,
  );
}
