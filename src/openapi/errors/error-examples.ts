import type { ErrorDefinition } from '../../common/errors/index.js';

const REQUEST_ID = '6f1c2a54-0f0e-4a7c-9a53-2f1a5b0c7d11';

/** Sample payloads of errors that have one, to show where programs find them. */
const PAYLOADS: Record<string, object> = {
  validation_failed: { fields: [{ field: 'url', message: 'url must be longer than or equal to 1 characters' }] },
};

/**
 * The body a client receives with an error.
 *
 * @param pages address under which the pages of the errors are served
 */
export function exampleOf({ code, status, message, hint }: ErrorDefinition, pages: string): object {
  // An internal error shows only its request id.
  if (status === 500) return { error: message, code, requestId: REQUEST_ID };
  const payload = PAYLOADS[code];
  return { error: message, code, requestId: REQUEST_ID, hint, docUrl: `${pages}/${code}`, ...(payload && { payload }) };
}
