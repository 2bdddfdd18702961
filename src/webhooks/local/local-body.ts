import type { TenantEnvironment } from '../../auth/index.js';
import { messageBody } from '../delivery/message-body.js';
import type { LiveEvent } from './live-events.repository.js';
import { unclaimedMessage } from './unclaimed-message.js';

/** The recipient of a body that belongs to no webhook. */
interface Addressee {
  environment: Pick<TenantEnvironment, 'id' | 'kind'>;
  webhookId: string;
  messageId: string;
  sample?: true;
}

/** What a webhook would receive, byte for byte. */
export const localBody = (event: LiveEvent, { environment, ...addressee }: Addressee): string =>
  messageBody(unclaimedMessage(event, { environmentId: environment.id, kind: environment.kind, ...addressee }));
