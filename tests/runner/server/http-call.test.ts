/** The runner's HTTP client against servers that are not the judge's. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { callHttp, type HttpAnswer, readText } from '../../../runner/server/http-call.ts'

function* endless(bytes: Buffer) {
  for (;;) yield bytes
}

/** Calls a server that answers any request with these bytes. It then closes, or sends `rest` again and again. */
async function callOver(bytes: string, rest?: Buffer): Promise<HttpAnswer> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(bytes)
      if (rest) pipeline(Readable.from(endless(rest)), socket, () => {})
      else socket.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const signal = AbortSignal.timeout(3_000)
  try {
    return await callHttp({
      method: 'POST',
      url,
      token: 'token',
      agent: 'test',
      json: '{}',
      signal,
    })
  } finally {
    server.close()
  }
}

it.each([
  ['not HTTP', 'SSH-2.0-OpenSSH\r\n'],
  ['nothing', ''],
  ['no end of the head', 'HTTP/1.1 200 OK\r\nx: '],
  ['only an announcement', 'HTTP/1.1 100 Continue\r\n\r\n'],
  [
    'another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
  ],
  ['a broken chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZZ'],
  ['half a body', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}'],
])('an answer that is %s ends the call with an error', async (_what, bytes) => {
  await expect(callOver(bytes).then(readText)).rejects.toThrow()
})

it('an answer without an end is not kept in memory', async () => {
  const answer = await callOver('HTTP/1.1 200 OK\r\n\r\n', Buffer.alloc(1 << 20, 'x'))
  await expect(readText(answer)).rejects.toThrow('too long')
  expect(answer.body.socket.destroyed).toBe(true)
})
