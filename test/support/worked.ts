/** What this thread has worked so far, in milliseconds: time in which the machine halts it, or runs others, does not count. */
export function worked(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
