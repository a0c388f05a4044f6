/** Finds ports of this machine on which nobody listens. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { PlainError } from '../plain-error.ts'

/** The addresses of `localhost`. The judge listens on the first; a client that fails at the second tries the first. */
const LOOPBACK = ['127.0.0.1', '::1']
/** Error codes of a machine without IPv6: there, nobody can listen on the second address. */
const NO_SUCH_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

/** Listens for a moment; returns the port, or null when it is taken. */
function tryPort(port: number, host = '127.0.0.1'): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null)
      else if (NO_SUCH_ADDRESS.includes(error.code ?? '')) resolve(port)
      else reject(error)
    })
    server.listen({ port, host }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : null))
    })
  })
}

/** Ports below those that systems assign by themselves (ip(7), ip_local_port_range), so that no other program gets one meanwhile. */
const PORTS = { first: 20_000, end: 32_000 } as const
const TRIES = 100

/** A port that is free now. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const port = await tryPort(randomInt(PORTS.first, PORTS.end))
    if (port !== null) return port
  }
  throw new PlainError('No free port on 127.0.0.1.')
}

/** @throws PlainError when the port is taken, or another program would get our calls */
export async function requireFreePort(port: number): Promise<void> {
  const found = await Promise.all(LOOPBACK.map((host) => tryPort(port, host)))
  if (found.includes(null))
    throw new PlainError(
      `Port ${port} is in use. Stop the program that listens there, or choose another port: PORT=8888 npm start`,
    )
}
