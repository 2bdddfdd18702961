/** The cause of an event other than an end user: ids only, which identify nobody once the person is deleted. */
export interface EventActor {
  readonly kind: 'member' | 'apiToken' | 'service';
  /** The id of the member's user or of the API token; absent for the service. */
  readonly id?: string;
  /** The personal token that the member used. */
  readonly tokenId?: string;
}
