import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Envelope, SIGNER_CALLS, type SignerCalls } from '../vault/index.js';
import { remotePort } from './signer/process/signer-operations.js';
import { CustodianRegistry } from './custodian-registry.js';
import { EnvironmentKeys } from './environment-keys.js';
import { EnvironmentKeysRepository } from './environment-keys.repository.js';
import { KeyRotation } from './key-rotation.js';
import { SealedSeeds } from './v1/sealed-seeds.js';
import { SealedSeedsRepository } from './v1/sealed-seeds.repository.js';
import { SeedShredder } from './v1/seed-shredder.job.js';
import { SeedVault } from './signer/seed-vault.js';
import { LocalWalletSigner } from './signer/local-wallet-signer.js';
import { KeyImportRow } from './imports/key-import.entity.js';
import { KeyImport } from './imports/key-import.js';
import { KeyImportsPurge } from './imports/key-imports-purge.job.js';
import { KeyImportsRepository } from './imports/key-imports.repository.js';
import { SealedImports } from './imports/sealed-imports.js';
import { SealedImportsRepository } from './imports/sealed-imports.repository.js';
import { KeyExport } from './signer/key-export.js';
import { WalletSigner } from './signer/wallet-signer.js';
import { KeyShareSet } from './threshold/key-share-set.entity.js';
import { KeyShareSetsRepository } from './threshold/key-share-sets.repository.js';
import { SealedShareSets } from './threshold/sealed-share-sets.js';
import { SealedShareSetsRepository } from './threshold/sealed-share-sets.repository.js';
import { ThresholdKeys } from './threshold/threshold-keys.js';
import { ThresholdSigner } from './threshold/threshold-signer.js';
import { SplitKeys } from './split/split-keys.js';
import { SplitSigner } from './split/split-signer.js';
import { KeyLedgerHead } from './ledger/key-ledger-head.entity.js';
import { KeyLedgerRow } from './ledger/key-ledger-row.entity.js';
import { KeyLedger } from './ledger/key-ledger.js';
import { RotatedKeys } from './ledger/rotated-keys.js';
import { KeyLedgerRepository } from './ledger/key-ledger.repository.js';
import { LedgerHeadsJob } from './ledger/ledger-heads.job.js';
import { LedgerVerifier } from './ledger/ledger-verifier.js';
import { SigningPolicies } from './signing/signing-policies.js';
import { NetworkPolicy } from './signing/network.policy.js';
import { KeySigning } from './signing/key-signing.js';
import { SignaturesWritten } from './signing/signatures-written.js';
import { SigningJudge } from './signing/signing-judge.js';
import { EnvironmentsModule } from '../environments/index.js';
import { NetworksModule } from '../networks/index.js';
import { SeedsRepository } from './v1/seeds.repository.js';
import { ServerHeldKeys } from './v1/server-held-keys.js';
import { WalletSeed } from './v1/wallet-seed.entity.js';
import { MovingModule } from '../moving/index.js';
import { SeedHands } from './v1/seed-hands.js';
import { CustodyMerging } from './custody.merging.js';
import { CustodyMoving } from './custody.moving.js';

@Module({
  imports: [
    MovingModule,
    TypeOrmModule.forFeature([WalletSeed, KeyImportRow, KeyLedgerHead, KeyLedgerRow, KeyShareSet]),
    EnvironmentsModule,
    NetworksModule,
  ],
  providers: [
    CustodyMerging,
    CustodyMoving,
    SeedHands,
    CustodianRegistry,
    EnvironmentKeys,
    EnvironmentKeysRepository,
    KeyRotation,
    // The same code behind the same ports, in another process if one is configured.
    {
      provide: WalletSigner,
      inject: [SIGNER_CALLS, Envelope],
      useFactory: (signer: SignerCalls | null, envelope: Envelope) =>
        signer ? remotePort('wallet', signer) : new LocalWalletSigner(new SeedVault(envelope)),
    },
    {
      provide: ThresholdSigner,
      inject: [SIGNER_CALLS, Envelope],
      useFactory: (signer: SignerCalls | null, envelope: Envelope) =>
        signer ? remotePort('threshold', signer) : new ThresholdSigner(envelope),
    },
    {
      provide: SplitSigner,
      inject: [SIGNER_CALLS, Envelope],
      useFactory: (signer: SignerCalls | null, envelope: Envelope) =>
        signer ? remotePort('split', signer) : new SplitSigner(envelope),
    },
    RotatedKeys,
    KeyLedger,
    KeyLedgerRepository,
    LedgerHeadsJob,
    LedgerVerifier,
    SigningPolicies,
    NetworkPolicy,
    KeySigning,
    SignaturesWritten,
    SigningJudge,
    KeyExport,
    KeyImport,
    KeyImportsPurge,
    KeyImportsRepository,
    SealedImports,
    SealedImportsRepository,
    SeedsRepository,
    SealedSeeds,
    SealedSeedsRepository,
    SeedShredder,
    ServerHeldKeys,
    KeyShareSetsRepository,
    SealedShareSets,
    SealedShareSetsRepository,
    ThresholdKeys,
    SplitKeys,
  ],
  exports: [
    CustodianRegistry,
    KeyLedger,
    KeyRotation,
    KeyExport,
    KeyImport,
    KeySigning,
    SignaturesWritten,
    SigningPolicies,
    ThresholdKeys,
    SplitKeys,
  ],
})
export class CustodyModule {}
