/** The sandbox itself failed, or the host refused it something. It is never the program's fault. */
export class SandboxError extends Error {
  override name = 'SandboxError'
}
