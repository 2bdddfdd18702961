/* global document */
import { call, keptToken, nameIn, signInByCode } from '/pages/member.js';

const element = (id) => document.getElementById(id);
const { path } = element('invite').dataset;
const form = element('code-form');
const said = element('said');

/** Opening the page does not answer the invite: that takes a button press. */
function ask() {
  form.hidden = true;
  element('told').textContent = `You are signed in as ${nameIn(keptToken())}.`;
  element('answers').hidden = false;
}

const buttons = document.querySelectorAll('[data-answer]');
/** An invite is answered once: a second answer would be refused, and the page would say so instead of the first. */
const lock = (isLocked) => buttons.forEach((button) => (button.disabled = isLocked));

for (const button of buttons) {
  button.addEventListener('click', async () => {
    const status = button.dataset.answer;
    lock(true);
    try {
      await call(path, { method: 'PUT', body: { status }, token: keptToken() });
      element('answers').hidden = true;
      said.textContent = status === 'accepted' ? 'You are now a member.' : 'The invite was declined.';
      if (status === 'accepted') element('next')?.removeAttribute('hidden');
    } catch (error) {
      said.textContent = error.message;
      lock(false);
    }
  });
}

signInByCode(form, ask);
// A session with another address cannot answer: the invite is bound to its own address.
if (keptToken() && nameIn(keptToken()) === form.elements.email.value) ask();
else form.hidden = false;
