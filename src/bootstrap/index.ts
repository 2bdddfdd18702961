export { createApp } from './create-app.js';
export { hasLocalDatabase } from './local-secrets.js';
export { logAside } from './log-aside.js';
export { prepare, type Prepared } from './prepare.js';
export { readyLine } from './ready.js';
export { stopOnSignals } from './shutdown.js';
export { explainStartFailure, remedyOf } from './start-failure.js';
export { assertUsableAddresses } from './usable-addresses.js';
export { speakForNode, voiceOf } from './voice.js';
