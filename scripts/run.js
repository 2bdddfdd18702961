/** `node scripts/run.js cli …`: runs `src/cli.ts` or `src/cli/main.ts`, compiled; the rest is its arguments. */
import './node-version.js';

const { launch } = await import('./launch.js');
const [name] = process.argv.splice(2, 1);
if (!name) {
  console.error('Usage: node scripts/run.js <program> [arguments]');
  process.exit(1);
}
await launch(name);
