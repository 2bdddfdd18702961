import { Injectable } from '@nestjs/common';

/** For how long a call with a key may go on: it holds a connection to the database for as long. */
@Injectable()
export class CallPatience {
  /** In milliseconds. As long as a request may take to arrive. */
  ms = 30_000;
}
