/**
 * Parses a source once for all suites of a Jest worker. Each suite has modules of its own, four thousand with those of
 * libraries, in a context of its own; parsed anew for each suite they are a tenth of what a run costs. Only what V8 made
 * of the text is kept (its code cache): instances are never shared.
 */

/** @param vm what makes modules and functions: `node:vm`, or what stands in for it */
export function keepingCode({ SourceTextModule, compileFunction }) {
  /** By file, with the text itself: V8 tells sources apart by their length alone. */
  const kept = new Map();

  function compile(name, text, make, codeOf) {
    const known = kept.get(name);
    if (known?.text === text) {
      const made = orNull(() => make({ cachedData: known.code }));
      if (made && !made.cachedDataRejected) return made;
    }
    const made = make({});
    kept.set(name, { text, code: codeOf(made) });
    return made;
  }

  return {
    SourceTextModule: new Proxy(SourceTextModule, {
      construct: (Module, [text, options]) =>
        compile(
          `module ${options.identifier}`,
          text,
          (known) => new Module(text, { ...options, ...known }),
          (module) => module.createCachedData(),
        ),
    }),
    compileFunction: (text, params, options) =>
      compile(
        `function (${params.join()}) ${options.filename}`,
        text,
        (known) => compileFunction(text, params, { ...options, ...known, produceCachedData: !known.cachedData }),
        (made) => made.cachedData,
      ),
  };
}

/** A module throws where a function says that its kept code was refused. */
function orNull(make) {
  try {
    return make();
  } catch (error) {
    if (error.code !== 'ERR_VM_MODULE_CACHED_DATA_REJECTED') throw error;
    return null;
  }
}
