/** `node scripts/run.js cli …`: runs the compiled `src/cli.ts` or `src/cli/main.ts` with the remaining arguments. */
import './node-version.js';

const { launch } = await import('./launch.js');
const [name] = process.argv.splice(2, 1);
if (!name) {
  console.error('Usage: node scripts/run.js <program> [arguments]');
  process.exit(1);
}
await launch(name);
