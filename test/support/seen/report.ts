/**
 * `npm run answers:unseen -- <file>`: which answers of the document the runs that wrote the file have never given. Ends
 * with 1 when there are others than those that are named with a reason, and when no run has written the file.
 */
import { readDocument } from '../contract/openapi-document.js';
import { NEVER_ANSWERED, seenIn, unseenReport } from './seen-answers.js';

const [file] = process.argv.slice(2);
if (!file) throw new Error('Give the file that GATEHOUSE_TEST_SEEN named: npm run answers:unseen -- .cache/seen.txt');

const document = readDocument(new URL('../../../openapi.json', import.meta.url));
const { text, isComplete } = unseenReport(document, seenIn(file), NEVER_ANSWERED);
process.stdout.write(text);
process.exitCode = isComplete ? 0 : 1;
