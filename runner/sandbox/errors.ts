/** The sandbox itself failed, or the host refused it something. Never the program's fault. */
export class SandboxError extends Error {
  override name = 'SandboxError'
}
