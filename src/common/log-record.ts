/** What a line of the log may say beside its sentence. None of it is an address, a credential or a text of clients. */
export interface LogFields {
  requestId?: string;
  operationId?: string;
  method?: string;
  /** With the names of variables, never with their values. */
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
  /** A name of the security log. */
  security?: string;
  /** Of an error, as clients see it. */
  code?: string;
  count?: number;
  stack?: string;
}

/** A sentence with fields: JSON where programs read the log, one line of text where people do. */
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
