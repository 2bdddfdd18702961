import { rowsOf } from '../database/index.js';
import { KeyShareSet } from './threshold/key-share-set.entity.js';
import { WalletSeed } from './v1/wallet-seed.entity.js';

/** The columns of key rows that higher contexts may show; none of them is sealed. */
export const SHOWN_SEEDS = rowsOf(WalletSeed, 'id', 'kind', 'vaultOrganizationId', 'vaultUserId');
export const SHOWN_SHARE_SETS = rowsOf(KeyShareSet, 'id', 'scheme', 'generation', 'dealt');
