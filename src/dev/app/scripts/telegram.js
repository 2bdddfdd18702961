import { call, onClick, part, random, SDK } from './service.js';
import { enter } from './session.js';

// Sign-in with an account of the messaging network. Its button is on a separate page of the service, because it loads a
// script of the network.
let state = null;

/** The bot of the imitated network. */
const DEVELOPMENT_BOT = 'development_bot';

function begin() {
  state = random();
  part('telegram-page').href = `${SDK}/telegram/auth?state=${state}`;
}

export function offerTelegram({ providers = [] }) {
  const bot = providers.find(({ provider }) => provider === 'telegram');
  part('telegram').hidden = !bot;
  part('telegram-imitated').hidden = bot?.clientId !== DEVELOPMENT_BOT;
  begin();
  part('telegram-page').addEventListener('click', () => (part('telegram-done').hidden = false));
  onClick(part('telegram-done'), async () => {
    enter(await call('/telegram/signin', { state }));
    // A state is single-use.
    begin();
    part('telegram-done').hidden = true;
  });
}
