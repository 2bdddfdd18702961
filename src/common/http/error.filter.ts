import {
  Catch,
  HttpException,
  Inject,
  Injectable,
  Logger,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import type { Response } from 'express';
import {
  ApiError,
  internalError,
  malformedBody,
  notFound,
  payloadTooLarge,
  unsupportedMediaType,
  type ErrorDetails,
} from '../errors/index.js';
import { AnsweredBefore } from './answered-before.js';
import { fromHttpException } from './http-exceptions.js';
import type { ProjectedResponse } from './projecting.adapter.js';
import { LogRecord } from '../log-record.js';
import { refusedRequest, securityEventOf, SecurityLog } from '../security/index.js';
import type { ServiceRequest } from './request.js';

/** Translates errors of a library; null for unknown errors. */
export type ErrorTranslator = (error: unknown) => ApiError | null;
export const ERROR_TRANSLATORS = Symbol('ERROR_TRANSLATORS');
export const ERROR_PAGES = Symbol('ERROR_PAGES');

/** What a page tells a person of an error. */
export interface ShownError {
  message: string;
  code: string;
  requestId: string;
  docUrl: string;
}

/** Writes the page of an error for people whose browser navigated to it; sets the headers of a page. */
export type ErrorView = (response: Response, error: ShownError) => string;
export const ERROR_VIEW = Symbol('ERROR_VIEW');

/** The one place where an error becomes a status and a body. */
@Catch()
@Injectable()
export class ErrorFilter implements ExceptionFilter {
  private readonly log = new Logger('Errors');

  constructor(
    @Inject(ERROR_TRANSLATORS) private readonly translators: readonly ErrorTranslator[],
    @Inject(ERROR_PAGES) private readonly pages: string,
    @Inject(ERROR_VIEW) private readonly view: ErrorView,
    private readonly security: SecurityLog,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<ServiceRequest>();
    const response = http.getResponse<ProjectedResponse>();
    const { settlement } = response;
    if (!settlement) return this.answer(error, request, response);
    void settlement.refuse(error).then((answer) => this.answer(answer, request, response));
  }

  private answer(error: unknown, request: ServiceRequest, response: Response): void {
    if (error instanceof AnsweredBefore && !response.headersSent) return error.sendTo(response);
    const known = this.recognise(error);
    if (!known || known.details.isFault) this.logFault(error, request);
    const answer = known ?? internalError();
    const event = securityEventOf(known ?? error);
    if (event) this.security.record(event, refusedRequest(request, answer.code));
    if (response.headersSent) return void response.end();
    if (answer.details.retryAfterSeconds !== undefined) sendWait(response, answer.details);
    if (answer.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    response.setHeader('Cache-Control', 'no-store');
    response.status(answer.status);
    if (showsPage(request, response)) response.send(this.view(response, this.shown(answer, request)));
    else response.json(this.bodyOf(answer, request));
  }

  private shown({ message, code }: ApiError, { requestId }: ServiceRequest): ShownError {
    return { message, code, requestId, docUrl: `${this.pages}/${code}` };
  }

  private recognise(error: unknown): ApiError | null {
    if (error instanceof ApiError) return error;
    for (const translate of this.translators) {
      const translated = translate(error);
      if (translated) return translated;
    }
    // The HTTP adapter wraps errors of Express; the original is the cause.
    const original = error instanceof HttpException && error.cause instanceof Error ? error.cause : error;
    if (isBodyParserError(original)) return fromBodyParser(original);
    if (original instanceof URIError) return notFound({ cause: error });
    return error instanceof HttpException ? fromHttpException(error) : null;
  }

  private bodyOf(answer: ApiError, request: ServiceRequest): object {
    const { hint, payload } = answer.details;
    const common = {
      code: answer.code,
      requestId: request.requestId,
      ...(hint && { hint }),
      docUrl: `${this.pages}/${answer.code}`,
      ...(payload && { payload }),
    };
    const isNotVerified = request.saysVerified && (answer.status === 400 || answer.status === 401);
    if (answer.status === 500) return { error: answer.message, code: answer.code, requestId: request.requestId };
    return answer.status === 403 && request.sessionErrors
      ? { error: { code: answer.code, message: answer.message }, ...common }
      : {
          error: answer.message,
          ...(answer.status === 409 && { message: answer.message }),
          ...(isNotVerified && { message: answer.message, verified: false }),
          ...common,
        };
  }

  private logFault(error: unknown, request: ServiceRequest): void {
    const route = request.route as { path?: string } | undefined;
    const { requestId, operationId, method } = request;
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const path = typeof route?.path === 'string' ? route.path : undefined;
    this.log.error(new LogRecord('Internal error.', { requestId, operationId, method, route: path, stack }));
  }
}

/** Whoever asks for anything, as programs do, gets JSON. */
function showsPage({ isNavigatedTo, headers }: ServiceRequest, response: Response): boolean {
  if (!isNavigatedTo) return false;
  response.vary('Accept');
  return headers.accept?.includes('text/html') === true;
}

interface BodyParserError extends Error {
  type: string;
  status: number;
}

const isBodyParserError = (error: unknown): error is BodyParserError =>
  error instanceof Error && typeof (error as Partial<BodyParserError>).type === 'string' && 'status' in error;

/** Errors of Express's body parser have a `type`; only these are caused by clients. */
function fromBodyParser(error: BodyParserError): ApiError | null {
  switch (error.type) {
    case 'entity.too.large':
      return payloadTooLarge({ cause: error });
    case 'encoding.unsupported':
    case 'charset.unsupported':
      return unsupportedMediaType({ cause: error });
    default:
      return error.status >= 400 && error.status < 500 ? malformedBody({ cause: error }) : null;
  }
}

function sendWait(response: Response, { retryAfterSeconds = 0, limit }: ErrorDetails): void {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  response.setHeader('Retry-After', seconds);
  if (!limit) return;
  response.setHeader('RateLimit-Policy', `${limit.most};w=${limit.windowSeconds}`);
  response.setHeader('RateLimit-Remaining', '0');
  response.setHeader('RateLimit-Reset', String(seconds));
}
