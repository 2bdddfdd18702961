/** The built-in PostgreSQL cannot be used. The message is one line: what was found and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
