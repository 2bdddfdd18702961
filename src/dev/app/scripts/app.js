import { offerAccounts } from './accounts.js';
import { offerChain } from './chain.js';
import { offerCodes } from './codes.js';
import { offerFactors } from './factors.js';
import { offerForeignToken } from './foreign-token.js';
import { offerLinking } from './linking.js';
import { offerPasskey } from './passkey.js';
import { attempt, call } from './service.js';
import { openSession } from './session.js';
import { offerShared } from './shared.js';
import { offerTelegram } from './telegram.js';
import { offerWallet } from './wallet.js';
import { offerWallets } from './wallets.js';

// The page of /dev/app. It uses the same API as applications, and offers what is enabled in the sandbox.
void attempt(async () => {
  const settings = await call('/settings');
  openSession();
  for (const offer of [
    offerCodes,
    offerPasskey,
    offerWallet,
    offerTelegram,
    offerForeignToken,
    offerFactors,
    offerLinking,
    offerWallets,
    offerShared,
    offerChain,
    // Last, because returning from a provider signs in at once.
    offerAccounts,
  ])
    offer(settings);
});
