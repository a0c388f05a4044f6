/** workerd listens on one address only; this passes connections to ::1 on to 127.0.0.1. */
import { connect, createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { PlainError } from './plain-error.ts'

interface Relay {
  close(): void
}

/** Copies bytes both ways until either side is done. */
function join(from: Socket, port: number): void {
  const to = connect({ port, host: '127.0.0.1' })
  from.on('error', () => to.destroy())
  to.on('error', () => from.destroy())
  from.on('close', () => to.destroy())
  to.on('close', () => from.destroy())
  from.pipe(to)
  to.pipe(from)
}

/**
 * Listens on [::1]:port. A machine without IPv6 gets no relay, which is fine: nothing there asks for ::1.
 * @throws PlainError when somebody else listens there, who would get what is meant for us
 */
export function startIpv6Relay(port: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    join(socket, port)
  })
  const relay: Relay = {
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') reject(new PlainError(`Port ${port} is in use on ::1.`))
      else resolve(relay)
    })
    server.listen({ port, host: '::1', ipv6Only: true }, () => resolve(relay))
  })
}
