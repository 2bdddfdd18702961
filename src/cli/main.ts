import { carryOut, explain } from './command-line.js';
import { complain } from './terminal.js';

const withService: Parameters<typeof carryOut>[1] = async (work) => {
  const { runWithService } = await import('./with-service.js');
  await runWithService(work);
};

carryOut(process.argv.slice(2), withService).then(
  () => process.exit(0),
  async (error: unknown) => {
    complain(await explain(error));
    process.exit(1);
  },
);
