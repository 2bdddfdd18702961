/**
 * The probability that two samples of one distribution differ in rank at least this much: the two-sided Mann-Whitney U
 * test by its normal approximation, corrected for ties and continuity. Meant for twenty values or more in each.
 *
 * @returns p, from 0 to 1
 */
export function mannWhitney(first: readonly number[], second: readonly number[]): number {
  const [n, m] = [first.length, second.length];
  if (n < 20 || m < 20) throw new Error('The normal approximation needs twenty values in each sample.');
  const all = [...first.map((value) => ({ value, own: true })), ...second.map((value) => ({ value, own: false }))];
  all.sort((a, b) => a.value - b.value);
  let rankSum = 0;
  let tied = 0;
  for (let start = 0; start < all.length;) {
    let end = start;
    while (end < all.length && all[end]!.value === all[start]!.value) end += 1;
    const size = end - start;
    // Ranks count from 1; equal values share the mean of theirs.
    const rank = (start + 1 + end) / 2;
    rankSum += rank * all.slice(start, end).filter(({ own }) => own).length;
    tied += size ** 3 - size;
    start = end;
  }
  const total = n + m;
  const distance = Math.abs(rankSum - (n * (n + 1)) / 2 - (n * m) / 2);
  const variance = ((n * m) / 12) * (total + 1 - tied / (total * (total - 1)));
  if (variance === 0) return 1;
  return 2 * upperTail(Math.max(0, distance - 0.5) / Math.sqrt(variance));
}

/** The share of a standard normal distribution above z ≥ 0, to 1e-7 (Abramowitz and Stegun 26.2.17). */
function upperTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * z);
  const series = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
  const polynomial = series.reduceRight((sum, factor) => (sum + factor) * t, 0);
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
}
