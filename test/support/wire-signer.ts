import { duplexPair } from 'node:stream';
import type { Config } from '../../src/config/index.js';
import { LocalWalletSigner } from '../../src/custody/signer/local-wallet-signer.js';
import { KeptSigner } from '../../src/custody/signer/process/kept-signer.js';
import { serveSigner } from '../../src/custody/signer/process/serve-signer.js';
import { SignerLink } from '../../src/custody/signer/process/signer-link.js';
import { SealedRowsRepository } from '../../src/custody/signer/rows/sealed-rows.repository.js';
import type { SealedRows } from '../../src/custody/signer/rows/sealed-rows.js';
import { SeedVault } from '../../src/custody/signer/seed-vault.js';
import { SplitSigner } from '../../src/custody/split/split-signer.js';
import { ThresholdSigner } from '../../src/custody/threshold/threshold-signer.js';
import { Envelope, type KeyVault, type SignerCalls } from '../../src/vault/index.js';

/**
 * With GATEHOUSE_TEST_SIGNER=wire, test applications call their signer as if it were another process, over an
 * in-process stream: so every suite that uses keys tests the protocol. With `rows` the signer also reads sealed keys
 * itself, instead of the application.
 */
export function signerOfRun(vault: KeyVault, config: Config): SignerCalls | null {
  const kind = process.env['GATEHOUSE_TEST_SIGNER'];
  if (kind === 'wire') return wireSigner(vault);
  return kind === 'rows' ? readingSigner(vault, config) : null;
}

/** A signer at the other end of a stream. */
export function wireSigner(vault: KeyVault, rows: SealedRows | null = null): SignerCalls {
  const envelope = new Envelope(vault);
  const [near, other] = duplexPair();
  const signers = {
    wallet: new LocalWalletSigner(new SeedVault(envelope)),
    threshold: new ThresholdSigner(envelope),
    split: new SplitSigner(envelope),
  };
  serveSigner(other, signers, () => undefined, rows);
  const link = new SignerLink(near);
  return new KeptSigner(
    () => Promise.resolve(link),
    () => undefined,
    rows !== null,
  );
}

function readingSigner(vault: KeyVault, config: Config): SignerCalls {
  const rows = new SealedRowsRepository(config, config.get('DATABASE_URL')!);
  const signer = wireSigner(vault, rows);
  const close = signer.close.bind(signer);
  signer.close = async () => {
    await close();
    await rows.close();
  };
  return signer;
}
