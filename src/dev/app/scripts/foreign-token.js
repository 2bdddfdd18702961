import { call, onSubmit, part } from './service.js';
import { enter } from './session.js';

// Sign-in with a token of the team's own identity provider.
export function offerForeignToken({ security }) {
  part('foreign').hidden = !security.externalAuth?.enabled;
  part('issuer').textContent = security.externalAuth?.iss ?? '';
  onSubmit('foreign', async (form) => {
    enter(await call('/externalAuth/signin', { jwt: form.get('jwt').trim() }));
    part('foreign').reset();
  });
}
