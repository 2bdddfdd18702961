/** Addresses of users of the console environment; the context that keeps users answers. */
export abstract class Mailboxes {
  /** An address in the form in which equal means the same mailbox; null when the text is none. */
  abstract normalise(address: string): string | null;
  /** The addresses, in that form, that a user has proven to own. What an API call merely says is not among them. */
  abstract listProven(userId: string): Promise<string[]>;
  /** Who has an address in that form, proven or not. */
  abstract findUser(address: string): Promise<string | null>;
}
