/** The middle value, or the mean of the two middle values. @throws RangeError without values */
export function median(values: readonly number[]): number {
  const sorted = ascending(values);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? at(sorted, middle) : (at(sorted, middle - 1) + at(sorted, middle)) / 2;
}

/**
 * The smallest value that at least `share` of all values do not exceed (nearest rank, so always a measured value).
 * @param share above 0 and at most 1
 * @throws RangeError without values or for another share
 */
export function percentile(values: readonly number[] | Float64Array, share: number): number {
  if (!(share > 0 && share <= 1)) throw new RangeError('a percentile needs a share above 0 and at most 1');
  const sorted = ascending(values);
  return at(sorted, Math.ceil(share * sorted.length) - 1);
}

/**
 * The median of the pairs' ratios. Partners ran one after the other, so a slowdown of the machine affects both halves
 * of a round's ratio.
 * @throws RangeError if the lists differ in length or are empty, or a divisor is not above 0
 */
export function pairedRatio(numerators: readonly number[], denominators: readonly number[]): number {
  if (numerators.length !== denominators.length) throw new RangeError('ratios need pairs');
  return median(
    numerators.map((value, index) => {
      const divisor = at(denominators, index);
      if (!(divisor > 0)) throw new RangeError('a ratio needs a divisor above 0');
      return value / divisor;
    }),
  );
}

function ascending(values: readonly number[] | Float64Array): Float64Array {
  if (values.length === 0) throw new RangeError('there are no values');
  return Float64Array.from(values).sort();
}

function at(values: ArrayLike<number>, index: number): number {
  const value = values[index];
  if (value === undefined) throw new RangeError(`there is no value ${index}`);
  return value;
}
