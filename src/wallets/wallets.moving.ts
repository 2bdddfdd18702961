import { Injectable } from '@nestjs/common';
import type { EnvironmentId, Transaction } from '../database/index.js';
import { MovingPart, MovingParts, moves, stays } from '../moving/index.js';
import { DelegationKeyRow } from './delegation/delegation-key.entity.js';
import { WalletDelegation } from './delegation/wallet-delegation.entity.js';
import { WalletExport } from './exports/wallet-export.entity.js';
import { ConnectionRow } from './global-wallet/connection.entity.js';
import { AccessControlRow, DomainRow, GlobalWalletRow } from './global-wallet/global-wallet.entity.js';
import { WalletUpgradesRepository } from './making/wallet-upgrades.repository.js';
import { NameProofRow, NameServiceRow, WalletNameRow } from './name-service/name-service.entity.js';
import { nameKeyContext } from './name-service/name-signer-keys.js';
import {
  SigningPolicyPastTotal,
  SigningPolicyRow,
  SigningPolicyRuleRow,
  SigningPolicyTotal,
} from './policies/policy.entity.js';
import { WalletCount } from './record/wallet-count.entity.js';
import { Wallet } from './record/wallet.entity.js';
import { WalletPasskeyRecovery } from './recovery/passkey-recovery.entity.js';
import { WalletRecoveryEmail } from './recovery/recovery-email.entity.js';
import { WalletSessionKey } from './requests/session-key.entity.js';
import { WalletUsedRequest } from './requests/used-request.entity.js';

@Injectable()
export class WalletsMoving extends MovingPart {
  readonly moving = [
    moves(Wallet),
    // A request that was used must not be replayed there.
    moves(WalletUsedRequest),
    moves(GlobalWalletRow),
    moves(AccessControlRow),
    moves(DomainRow),
    moves(ConnectionRow),
    moves(WalletNameRow),
    moves(WalletRecoveryEmail),
    moves(DelegationKeyRow),
    moves(SigningPolicyRow),
    moves(SigningPolicyRuleRow),
    moves(SigningPolicyTotal),
    moves(SigningPolicyPastTotal),
    // The registry has not been asked there, where the domain may be enabled in another environment.
    moves(NameServiceRow, {
      renewal: {
        reason: 'whether their domains are enabled is decided anew there; until then their names lead nowhere',
        columns: ['enabledAt'],
        make: () => Promise.resolve({ enabled_at: null }),
      },
      seal: {
        column: 'sealedKey',
        by: (row) => nameKeyContext({ environmentId: String(row['environment_id']), id: String(row['id']) }),
      },
    }),
  ];
  readonly staying = [
    ...stays('it belongs to a session, and everybody signs in again', WalletSessionKey, WalletExport),
    ...stays('given to the servers of the team here: users give access anew', WalletDelegation),
    ...stays('begun here, and over within minutes', NameProofRow, WalletPasskeyRecovery),
    ...stays('counted there from what moves', WalletCount),
  ];

  constructor(
    private readonly upgrades: WalletUpgradesRepository,
    parts: MovingParts,
  ) {
    super(parts);
  }

  /** Otherwise the seed would stay when the last of its wallets is deleted, with the whole key of one that is shared. */
  override async imported(environmentId: EnvironmentId, missed: ReadonlySet<string>, tx: Transaction): Promise<void> {
    if (missed.has('FillKeysOfUpgradedWallets20261128132000')) await this.upgrades.noteSeeds(environmentId, tx);
  }
}
