/** Renting hosts by the queue, with programs of the test's in the place of the providers'. */
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ROOT } from '../../../scripts/root.ts'

const run = promisify(execFile)
const queue = { pending: 0, wantedRunners: 1 }
let asked: string[] = []
let folder = ''
const server = createServer((request, response) => {
  asked.push(`${request.url} ${request.headers.authorization}`)
  response.end(JSON.stringify({ status: 'ok', message: '', data: { oldestSeconds: 3, ...queue } }))
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'autoscale-'))
  asked = []
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
})
afterEach(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the script beside these hosts. @returns what it said, and what it had the provider do */
async function scale(provider: string, hosts: string[], args: string[] = []) {
  const list = `case "$*" in *list*) printf '%s\\n' ${hosts.join(' ')} ;; *) echo "$*" >> '${folder}/done' ;; esac`
  await writeFile(join(folder, provider), `#!/bin/sh\n${list}\n`)
  await chmod(join(folder, provider), 0o755)
  await writeFile(join(folder, 'done'), '')
  const env = {
    PATH: `${folder}:${process.env['PATH']}`,
    SERVER_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    API_TOKEN: 'mine',
    USER_DATA: 'host.yaml',
    PROVIDER: provider,
    MOST: '4',
  }
  const { stdout } = await run('sh', [`${ROOT}scripts/autoscale.sh`, ...args], { env })
  const lines = (text: string) => text.trim().split('\n').filter(Boolean)
  return { said: lines(stdout), done: lines(await readFile(join(folder, 'done'), 'utf8')) }
}

test.each(['hcloud', 'doctl'])(
  '%s: what it would run is printed, with --go it is run',
  async (provider) => {
    Object.assign(queue, { pending: 700, wantedRunners: 9 })
    const dry = await scale(provider, ['coursejudge-host-2'])
    expect(asked).toEqual(['/api/runners/queue Bearer mine'])
    expect(dry.done).toEqual([])
    expect(dry.said[0]).toBe('700 submissions wait: 4 hosts wanted, 1 here')
    const names = dry.said.slice(1).map((line) => /coursejudge-host-\d/.exec(line)?.[0])
    expect(names).toEqual(['coursejudge-host-1', 'coursejudge-host-3', 'coursejudge-host-4'])
    const wet = await scale(provider, ['coursejudge-host-2'], ['--go'])
    expect(wet.done.map((line) => `would run: ${provider} ${line}`)).toEqual(dry.said.slice(1))
  },
)

test('one host goes when nothing waits, and none while something does', async () => {
  const hosts = ['coursejudge-host-2', 'coursejudge-host-10', 'coursejudge-host-1']
  Object.assign(queue, { pending: 0, wantedRunners: 1 })
  expect((await scale('hcloud', hosts, ['--go'])).done).toEqual([
    'server delete coursejudge-host-10',
  ])
  queue.pending = 1
  expect((await scale('hcloud', hosts, ['--go'])).done).toEqual([])
})
