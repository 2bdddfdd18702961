/** `npm run answers:unseen -- <file>`: which answers of the document the runs that wrote the file have never given. */
import { readDocument } from '../contract/openapi-document.js';
import { seenIn, unseenAnswers } from './seen-answers.js';

const [file] = process.argv.slice(2);
if (!file) throw new Error('Give the file that GATEHOUSE_TEST_SEEN named: npm run answers:unseen -- .cache/seen.txt');

const unseen = unseenAnswers(readDocument(new URL('../../../openapi.json', import.meta.url)), seenIn(file));
const lines = [...unseen].map(([status, names]) => `${status}: ${names.length}\n  ${names.join('\n  ')}\n`);
const count = [...unseen.values()].flat().length;
process.stdout.write(`${lines.join('')}${count} answers of the document were never seen.\n`);
