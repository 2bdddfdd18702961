/**
 * `npm run answers:unseen -- <file>`: lists documented responses never given by the runs that wrote the file. Exits
 * with 1 if there are any without a listed reason, or if no run has written the file.
 */
import { readDocument } from '../contract/openapi-document.js';
import { NEVER_ANSWERED, seenIn, unseenReport } from './seen-answers.js';

const [file] = process.argv.slice(2);
if (!file) throw new Error('Give the file that GATEHOUSE_TEST_SEEN named: npm run answers:unseen -- .cache/seen.txt');

const document = readDocument(new URL('../../../openapi.json', import.meta.url));
const { text, isComplete } = unseenReport(document, seenIn(file), NEVER_ANSWERED);
process.stdout.write(text);
process.exitCode = isComplete ? 0 : 1;
