/** What examples of requests are made of. */
export interface ExampleFacts {
  /** Receives webhooks. */
  webhookUrl: string;
}

export type RequestExamples = Readonly<Record<string, (facts: ExampleFacts) => unknown>>;

/** An address of an EVM account, in the form of EIP-55. */
export const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
/** An id of a record that the caller has; the explorer and the tests put one of theirs in its place. */
export const ID = '018f0000-0000-7000-8000-000000000001';
