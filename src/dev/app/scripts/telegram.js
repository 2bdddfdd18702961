import { call, onClick, part, random, SDK } from './service.js';
import { enter } from './session.js';

// Sign-in with an account of the messaging network. Its button stands on a page of the service, in another tab, because
// it comes with a script of the network.
let state = null;

/** The bot for which this service itself stands in for the network. */
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
    // A state is good for one sign-in.
    begin();
    part('telegram-done').hidden = true;
  });
}
