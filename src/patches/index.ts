export { closeInTime, keepPromises } from './bull-closing.js';
export { rememberRules } from './rule-lookups.js';
export { stopListening } from './stop-listening.js';
export { boundHeap, collectStart, tuneHeap } from './v8-heap.js';
export { optimizeSoon } from './v8-tiers.js';
