export type State = 'ok' | 'warn' | 'fail';

/** The result of a check. `meaning` and `fix` are one line each and never contain a secret. */
export interface Finding {
  state: State;
  meaning: string;
  /** What to do about it, with the command if there is one. */
  fix?: string;
}

export const ok = (meaning: string): Finding => ({ state: 'ok', meaning });
export const warn = (meaning: string, fix?: string): Finding => ({ state: 'warn', meaning, fix });
export const fail = (meaning: string, fix: string): Finding => ({ state: 'fail', meaning, fix });

/** The short form of an error: its code if it has one, else its first line without URL credentials. */
export function causeOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  const text = typeof message === 'string' && message !== '' ? message : String(error);
  return (text.split('\n')[0] ?? '').replace(/:\/\/[^@\s/]*@/g, '://').slice(0, 200);
}
