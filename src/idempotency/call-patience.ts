import { Injectable } from '@nestjs/common';

/** How long a keyed call may run: it holds a database connection for that long. */
@Injectable()
export class CallPatience {
  /** In milliseconds. The same as the limit for receiving a request. */
  ms = 30_000;
}
