/** The fields of a log line besides its message. None may contain an address, a credential or client input. */
export interface LogFields {
  requestId?: string;
  operationId?: string;
  method?: string;
  /** With the names of path variables, never with their values. */
  route?: string;
  status?: number;
  durationMs?: number;
  environmentId?: string;
  principal?: string;
  principalId?: string;
  eventId?: string;
  eventName?: string;
  resourceId?: string;
  messageId?: string;
  webhookId?: string;
  attempt?: number;
  outcome?: string;
  /** The name of a security event. */
  security?: string;
  /** The error code that the client sees. */
  code?: string;
  count?: number;
  stack?: string;
}

/** A log message with fields, written as JSON in production and as one line of text elsewhere. */
export class LogRecord {
  constructor(
    readonly text: string,
    readonly fields: LogFields,
  ) {}

  toString(): string {
    const { stack, ...fields } = this.fields;
    const shown = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
    return [this.text, ...shown, ...(stack ? [stack] : [])].join(' ');
  }
}
