/** `@jest/globals` for suites: the framework of the running suite. */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

export function offerGlobals(offered) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = offered);
}
