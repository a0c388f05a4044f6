/** What work costs this thread: other programs of the machine take time from it, but no CPU time. */

/** The least CPU time in ms that some work takes in five tries, the first of which also warms it up. Exact to some ms. */
export function leastCpuMs(work: () => unknown): number {
  const tries = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1_000
  })
  return Math.min(...tries)
}
