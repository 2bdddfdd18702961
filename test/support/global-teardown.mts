import '../../scripts/typescript-loader.js';

export default async function globalTeardown(): Promise<void> {
  const { stopServices } = await import('./services.js');
  await stopServices();
}
