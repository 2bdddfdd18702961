import '../../scripts/typescript-loader.js';

/** Jest loads this file with plain Node, so the TypeScript behind it needs the loader. */
export default async function globalSetup(): Promise<void> {
  const { startServices } = await import('./services.js');
  await startServices();
}
