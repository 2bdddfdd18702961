/**
 * The smallest number of base units that is at least `amount` whole tokens. Exact: it scales the shortest decimal form
 * in which JSON writes the number, not the underlying binary fraction.
 */
export function baseUnitsOf(amount: number, decimals: number): bigint {
  const [mantissa = '0', exponent = '0'] = String(amount).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole + fraction);
  const shift = Number(exponent) - fraction.length + decimals;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return (digits + divisor - 1n) / divisor;
}
