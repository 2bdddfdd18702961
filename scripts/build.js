import { compile } from './compile.js';

const started = performance.now();
try {
  const count = await compile();
  console.log(`Built ${count} files in ${Math.round(performance.now() - started)} ms.`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
