import { call, onClick, part, random, SDK } from './service.js';
import { enter } from './session.js';

// Sign-in with an account of the messaging network. Its button stands on a page of the service, in another tab, because
// it comes with a script of the network.
let state = null;

function begin() {
  state = random();
  part('telegram-page').href = `${SDK}/telegram/auth?state=${state}`;
}

export function offerTelegram({ providers = [] }) {
  part('telegram').hidden = !providers.some(({ provider }) => provider === 'telegram');
  begin();
  part('telegram-page').addEventListener('click', () => (part('telegram-done').hidden = false));
  onClick(part('telegram-done'), async () => {
    enter(await call('/telegram/signin', { state }));
    // A state is good for one sign-in.
    begin();
    part('telegram-done').hidden = true;
  });
}
