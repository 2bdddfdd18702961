/** The content of the provider's codes, which are self-contained: it stores none. */
export interface CodeContent {
  readonly sub: string;
  readonly nonce: string;
}

export const codeOf = (content: CodeContent): string => Buffer.from(JSON.stringify(content)).toString('base64url');

export const contentOf = (code: string): CodeContent =>
  JSON.parse(Buffer.from(code, 'base64url').toString()) as CodeContent;
