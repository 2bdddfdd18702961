import { jest } from '@jest/globals';

/** Captures the process's log output from now on instead of showing it. */
export function captureLog(): { text(): string; stop(): void } {
  let written = '';
  const spies = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation((chunk) => {
      written += String(chunk);
      return true;
    }),
  );
  return { text: () => written, stop: () => spies.forEach((spy) => spy.mockRestore()) };
}
