/** CPU time of this thread in milliseconds: excludes time in which the machine halts it or runs others. */
export function worked(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
