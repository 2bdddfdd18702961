import { rowsOf } from '../database/index.js';
import { KeyShareSet } from './threshold/key-share-set.entity.js';
import { WalletSeed } from './v1/wallet-seed.entity.js';

/** What contexts above may show of the rows that hold keys; nothing that is sealed is among it. */
export const SHOWN_SEEDS = rowsOf(WalletSeed, 'id', 'kind', 'vaultOrganizationId', 'vaultUserId');
export const SHOWN_SHARE_SETS = rowsOf(KeyShareSet, 'id', 'scheme', 'generation', 'dealt');
