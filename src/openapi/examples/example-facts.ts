/** Values for example requests. */
export interface ExampleFacts {
  /** A webhook URL. */
  webhookUrl: string;
}

export type RequestExamples = Readonly<Record<string, (facts: ExampleFacts) => unknown>>;

/** The address of an EVM account, with its EIP-55 checksum. */
export const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
/** An id of the caller's record; the explorer and the tests replace it with a real one. */
export const ID = '018f0000-0000-7000-8000-000000000001';
