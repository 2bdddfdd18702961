/**
 * `npm run answers:unseen -- <file>`: which answers of the document the runs that wrote the file have never given. Ends
 * with 1 when there are others than those that are named with a reason, or when one of these was given.
 */
import { readDocument } from '../contract/openapi-document.js';
import { NEVER_ANSWERED, seenIn, unseenAnswers, wronglyNamed } from './seen-answers.js';

const [file] = process.argv.slice(2);
if (!file) throw new Error('Give the file that GATEHOUSE_TEST_SEEN named: npm run answers:unseen -- .cache/seen.txt');

const seen = seenIn(file);
if (seen.size === 0) throw new Error(`${file} names no answer: no run with GATEHOUSE_TEST_SEEN has written it.`);

const document = readDocument(new URL('../../../openapi.json', import.meta.url));
const unseen = unseenAnswers(document, seen, NEVER_ANSWERED);
const wrong = wronglyNamed(document, seen, NEVER_ANSWERED);
const lines = [...unseen].map(([status, names]) => `${status}: ${names.length}\n  ${names.join('\n  ')}\n`);
const count = [...unseen.values()].flat().length;
process.stdout.write(`${lines.join('')}${count} answers of the document were never seen.\n`);
if (wrong.length > 0) {
  process.stdout.write(
    `Take from test/contract/never-answered.json what is given or declared nowhere: ${wrong.join(', ')}.\n`,
  );
}
process.exitCode = count + wrong.length > 0 ? 1 : 0;
