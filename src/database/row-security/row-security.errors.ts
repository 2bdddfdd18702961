/** The tables have policies but the service is not configured to name its tenants: it would see no rows. */
export class RowSecurityError extends Error {
  override readonly name = 'RowSecurityError';

  constructor() {
    super(
      'The tables have policies of row-level security, and DATABASE_ROW_SECURITY is off. Set it to on, or take the policies away with DATABASE_ROW_SECURITY=off npm run migration:run.',
    );
  }
}
