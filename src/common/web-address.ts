/** Whether text of a third party is an address that a browser may follow: no script, no app of the device. */
export const isWebAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '');
