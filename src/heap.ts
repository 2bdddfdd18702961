import { setFlagsFromString } from 'node:v8';

/**
 * How V8 keeps the heap of a server; imported before anything else. Without it V8 learns from requests that wait for the
 * database to allocate parts of each request among the old objects, and every collection of the young ones copies all
 * the requests since the last full collection.
 */
setFlagsFromString('--no-allocation-site-pretenuring');
