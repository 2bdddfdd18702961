import { BooleanField, JsonField, RefField, StringField, type FieldClass } from '../fields/index.js';

/** The body of every error: `error` for people, `code` for programs. */
export class ErrorBody {
  @StringField({ description: 'What went wrong, for people.' })
  error!: string;

  @StringField({ description: 'What went wrong, for programs; stable.', example: 'not_found' })
  code!: string;

  @StringField({ description: "Correlates this answer with the service's log." })
  requestId!: string;

  @StringField({ optional: true, description: 'What to do about it.' })
  hint?: string;

  @StringField({ optional: true, description: 'A page of this service that explains the code.' })
  docUrl?: string;

  @JsonField({ optional: true, description: 'Structured facts, such as the fields that failed.' })
  payload?: Record<string, unknown>;
}

/** The 409 repeats its message in a second field, where some clients look for it. */
export class ConflictBody extends ErrorBody {
  @StringField({ optional: true, description: 'The same as `error`.' })
  message?: string;
}

export class ErrorMessageWithCode {
  @StringField({ optional: true })
  code?: string;

  @StringField({ optional: true })
  message?: string;
}

/** The 403 of operations that issue or change a session, which may name the refused wallet or email. */
export class SessionForbiddenBody {
  @RefField(() => ErrorMessageWithCode, { optional: true })
  error?: ErrorMessageWithCode;

  @StringField()
  code!: string;

  @StringField()
  requestId!: string;

  @StringField({ optional: true })
  hint?: string;

  @StringField({ optional: true })
  docUrl?: string;

  @JsonField({ optional: true, description: 'Can contain walletPublicKey or email.' })
  payload?: Record<string, unknown>;
}

/** The 400 and 401 of the operation that verifies an API token. */
export class WaasVerifyApiKeyErrorResponse extends ErrorBody {
  @StringField({ description: 'The same as `error`.' })
  message!: string;

  @BooleanField({ description: 'False.' })
  verified!: boolean;
}

export const ERROR_BODIES = {
  400: { type: ErrorBody, description: 'The request does not match the documented schema' },
  401: { type: ErrorBody, description: 'Missing or invalid credential' },
  403: { type: ErrorBody, description: 'The caller lacks the required permission' },
  404: { type: ErrorBody, description: 'Record not found' },
  405: { type: ErrorBody, description: 'Method not allowed' },
  409: { type: ConflictBody, description: 'Conflict with another request' },
  410: { type: ErrorBody, description: 'The operation has been retired' },
  413: { type: ErrorBody, description: 'Body too large' },
  415: { type: ErrorBody, description: 'Not JSON' },
  422: { type: ErrorBody, description: 'The request violates a rule' },
  429: { type: ErrorBody, description: 'Too many requests' },
  500: { type: ErrorBody, description: 'Internal error' },
  502: { type: ErrorBody, description: 'Error of an upstream service' },
  503: { type: ErrorBody, description: 'Temporarily unavailable' },
} as const;

/** The description of a 503 where an operation has no outage of its own: all of them need the database, some the signer. */
export const ANY_OUTAGE = 'Temporarily unavailable, as every operation can be during an outage';

/** The error body of a status; some operations have their own forms. */
export function errorBodyOf(
  status: keyof typeof ERROR_BODIES,
  { sessionErrors = false, saysVerified = false }: { sessionErrors?: boolean; saysVerified?: boolean },
): FieldClass {
  if (status === 403 && sessionErrors) return SessionForbiddenBody;
  if ((status === 400 || status === 401) && saysVerified) return WaasVerifyApiKeyErrorResponse;
  return ERROR_BODIES[status].type;
}
