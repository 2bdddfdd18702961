/* global document, history, location */
import { call, keep } from '/pages/member.js';

const root = document.getElementById('sign-in');
const said = document.getElementById('said');
const button = document.getElementById('go');
const secret = location.hash.slice(1);
// Keeps the secret out of the browser history.
history.replaceState(null, '', location.pathname);

if (secret === '') {
  button.hidden = true;
  said.textContent = 'This address is incomplete. Copy the whole link that the operator was given.';
}

button.addEventListener('click', async () => {
  button.disabled = true;
  try {
    const signedIn = await call('/sign-in', { method: 'POST', body: { secret } });
    keep(signedIn);
    if (root.dataset.docs === 'true') location.assign('/docs');
    else show(signedIn);
  } catch (error) {
    button.hidden = true;
    said.textContent = error.message;
  }
});

/** If there is no explorer: shows how to use the session, in one command. */
function show({ jwt }) {
  button.hidden = true;
  document.getElementById('in').hidden = false;
  said.textContent = 'You are signed in.';
  document.getElementById('token').textContent = jwt;
  document.querySelector('#in [data-copy]').dataset.copy = jwt;
}
