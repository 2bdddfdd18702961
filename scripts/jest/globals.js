/** What `@jest/globals` is to suites: the framework of the one that is running. */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

export function offerGlobals(offered) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = offered);
}
