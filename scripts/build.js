import { bundle } from './bundle.js';
import { compile } from './compile.js';

const started = performance.now();
try {
  const count = await compile();
  const bytes = await bundle();
  const took = Math.round(performance.now() - started);
  console.log(`Built ${count} files and a bundle of ${(bytes / 1e6).toFixed(1)} MB in ${took} ms.`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
