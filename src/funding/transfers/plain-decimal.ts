/** A number as a decimal without an exponent, which vendors refuse: 1e-8 is 0.00000001. */
export function plainDecimal(value: number): string {
  const text = String(value);
  const [, digits = '', exponent] = /^([\d.]+)(?:e([+-]\d+))?$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const [whole = '', fraction = ''] = digits.split('.');
  const shift = Number(exponent);
  if (shift < 0) return `0.${'0'.repeat(-shift - whole.length)}${whole}${fraction}`;
  return `${whole}${fraction.padEnd(shift, '0')}`;
}
