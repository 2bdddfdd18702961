/** Who caused an event, where no end user did: ids alone, which mean nothing once the person is gone. */
export interface EventActor {
  readonly kind: 'member' | 'apiToken' | 'service';
  /** Of the member's user, or of the API token; the service has none. */
  readonly id?: string;
  /** The personal token that a member acted with. */
  readonly tokenId?: string;
}
