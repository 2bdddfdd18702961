import { carryOut, explain } from './command-line.js';

const withService: Parameters<typeof carryOut>[1] = async (work) => {
  const { runWithService } = await import('./with-service.js');
  await runWithService(work);
};

carryOut(process.argv.slice(2), withService).then(
  () => process.exit(0),
  async (error: unknown) => {
    console.error(await explain(error));
    process.exit(1);
  },
);
