import { describe, expect, it } from '@jest/globals';
import {
  BadRequestException,
  ConflictException,
  ForbiddenException,
  HttpException,
  ImATeapotException,
  NotFoundException,
} from '@nestjs/common';
import { fromHttpException } from './http-exceptions.js';

const SAID = 'The till is closed.';

describe('an exception of Nest', () => {
  it.each([400, 402, 409, 410, 418, 422, 423, 451, 499])('with status %d keeps it, and what it says', (status) => {
    const answer = fromHttpException(new HttpException(SAID, status));
    expect(answer).toMatchObject({ status, code: 'refused', message: SAID });
    expect(answer!.details.hint).toBeUndefined();
  });

  it.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [405, 'method_not_allowed'],
    [413, 'payload_too_large'],
    [415, 'unsupported_media_type'],
    [429, 'too_many_requests'],
  ])('with status %d has the code %s, and its own sentence', (status, code) => {
    expect(fromHttpException(new HttpException(SAID, status))).toMatchObject({ status, code, message: SAID });
  });

  it.each([
    ['a text', new ConflictException(SAID)],
    ['a body', new HttpException({ message: SAID, till: 7 }, 409)],
  ])('says the sentence of %s, and no other field', (_, error) => {
    expect(fromHttpException(error)).toMatchObject({ status: 409, code: 'refused', message: SAID });
    expect(JSON.stringify(fromHttpException(error)!.details.payload)).toBeUndefined();
  });

  it.each([
    ['says nothing', new ConflictException(), 'The request was refused.'],
    ['says nothing, in small letters', new ImATeapotException(), 'The request was refused.'],
    ['says a list', new BadRequestException(['a', 'b']), 'The request was refused.'],
    ['is of a guard', new ForbiddenException('Forbidden resource'), 'The caller is known but may not do this.'],
    ['is of no route', new NotFoundException('Cannot GET /tills'), 'No such record.'],
    [
      'repeats a library',
      new BadRequestException('Unexpected token s in "secret"', {
        cause: new SyntaxError('Unexpected token s in "secret"'),
      }),
      'The request was refused.',
    ],
  ])('that %s is answered in the words of the service', (_, error, message) => {
    const answer = fromHttpException(error);
    expect(answer).toMatchObject({ message });
    expect(answer!.details.hint).toEqual(expect.any(String));
  });

  it('of a fault is shown to nobody', () => {
    for (const status of [500, 501, 502, 504]) expect(fromHttpException(new HttpException(SAID, status))).toBeNull();
    const away = fromHttpException(new HttpException(SAID, 503));
    expect(away).toMatchObject({ status: 503, code: 'service_unavailable' });
    expect(JSON.stringify([away!.message, away!.details.hint])).not.toContain('till');
  });
});
