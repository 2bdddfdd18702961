export { closeInTime, keepPromises } from './bull-closing.js';
export { rememberRules } from './rule-lookups.js';
export { stopListening } from './stop-listening.js';
export { collectStart, tuneHeap } from './v8-heap.js';
