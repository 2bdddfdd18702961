import { PickOf } from '../../common/fields/index.js';
import { defineEvent } from '../../database/index.js';
import { ProviderPayload } from './provider.dto.js';

export class DeletedProvider extends PickOf(ProviderPayload, ['id', 'provider']) {}

const OF_PROVIDER = { payload: ProviderPayload };

export const PROVIDER_CREATED = defineEvent('provider.created', 'A provider was set up.', OF_PROVIDER);
export const PROVIDER_UPDATED = defineEvent('provider.updated', 'A provider was changed.', OF_PROVIDER);
export const PROVIDER_ENABLED = defineEvent('provider.enabled', 'A provider was enabled.', OF_PROVIDER);
export const PROVIDER_DISABLED = defineEvent('provider.disabled', 'A provider was disabled.', OF_PROVIDER);
export const PROVIDER_DELETED = defineEvent('provider.deleted', 'A provider was removed.', {
  payload: DeletedProvider,
});
