/** Milliseconds of the machine's monotonic clock, which all processes of the machine share. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;
