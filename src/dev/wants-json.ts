import type { Request, Response } from 'express';

/** Whether the client prefers JSON to a page; says in the answer that this decides. */
export function wantsJson(request: Request, response: Response): boolean {
  response.vary('Accept');
  return request.accepts(['html', 'json']) === 'json';
}
