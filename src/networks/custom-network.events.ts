import { defineEvent } from '../database/index.js';
import { CustomNetwork } from './custom-network.dto.js';

const OF_NETWORK = { payload: CustomNetwork, ofOrganization: true };

export const CUSTOM_NETWORK_CREATED = defineEvent(
  'customNetwork.created',
  'An organization added a network.',
  OF_NETWORK,
);
export const CUSTOM_NETWORK_UPDATED = defineEvent('customNetwork.updated', 'A custom network was changed.', OF_NETWORK);
export const CUSTOM_NETWORK_DELETED = defineEvent('customNetwork.deleted', 'A custom network was deleted.', OF_NETWORK);
