/** A number as a decimal without an exponent, since vendors refuse those: 1e-8 is 0.00000001. */
export function plainDecimal(value: number): string {
  const text = String(value);
  const [, digits = '', exponent] = /^([\d.]+)(?:e([+-]\d+))?$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const [whole = '', fraction = ''] = digits.split('.');
  const shift = Number(exponent);
  if (shift < 0) return `0.${'0'.repeat(-shift - whole.length)}${whole}${fraction}`;
  return `${whole}${fraction.padEnd(shift, '0')}`;
}

/** The exact sum of decimals without sign or exponent, in its shortest form; null if one is malformed. */
export function sumOf(terms: readonly string[]): string | null {
  const numbers = terms.map((term) => /^(\d+)(?:\.(\d+))?$/.exec(term));
  if (!numbers.every((number) => number !== null)) return null;
  const scale = Math.max(...numbers.map(([, , fraction = '']) => fraction.length));
  const units = numbers.reduce(
    (sum, [, whole = '', fraction = '']) => sum + BigInt(whole + fraction.padEnd(scale, '0')),
    0n,
  );
  const digits = String(units).padStart(scale + 1, '0');
  const [whole, fraction] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)];
  const rest = fraction.replace(/0+$/, '');
  return rest ? `${whole}.${rest}` : whole;
}

/** The first without the second, as decimals: 1.1 without 0.2 is 0.9, and in binary fractions a little more. */
export function differenceOf(total: number, part: number): number {
  const numbers = [total, part].map((one) => /^(-?\d+)(?:\.(\d+))?$/.exec(plainDecimal(one)));
  if (!numbers.every((number) => number !== null)) return total - part;
  const scale = Math.max(...numbers.map(([, , fraction = '']) => fraction.length));
  const [all, some] = numbers.map(([, whole = '', fraction = '']) => BigInt(whole + fraction.padEnd(scale, '0')));
  return Number(`${all! - some!}e-${scale}`);
}
