/* global addEventListener, document, history, location */
import { assertKeeps, call, keep } from '/pages/member.js';

const root = document.getElementById('sign-in');
const said = document.getElementById('said');
const button = document.getElementById('go');
const offer = said.textContent;
let secret;

function read() {
  secret = location.hash.slice(1);
  // Keeps the secret out of the browser history.
  history.replaceState(null, '', location.pathname);
  button.hidden = secret === '';
  button.disabled = false;
  said.textContent =
    secret === '' ? 'This address is incomplete. Copy the whole link that the operator was given.' : offer;
}

read();
// Pasting a link where this page is open changes the fragment alone and loads nothing.
addEventListener('hashchange', read);

button.addEventListener('click', async () => {
  button.disabled = true;
  const goesOn = root.dataset.docs === 'true';
  try {
    if (goesOn) assertKeeps();
    const signedIn = await call('/sign-in', { method: 'POST', body: { secret } });
    keep(signedIn);
    if (goesOn) location.assign('/docs');
    else show(signedIn);
  } catch (error) {
    // Only the link itself can be at fault for good.
    button.hidden = error.code === 'wrong_sign_in_link';
    button.disabled = false;
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
