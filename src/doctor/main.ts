import { examine } from './examine.js';

process.exit(await examine(console.log));
