import type { Request, Response } from 'express';

/** Whether the client prefers JSON to HTML; sets `Vary: Accept`. */
export function wantsJson(request: Request, response: Response): boolean {
  response.vary('Accept');
  return request.accepts(['html', 'json']) === 'json';
}
