/** Renting hosts by the length of the queue, with the test's own programs in place of the providers'. */
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ROOT } from '../../../scripts/root.ts'

const run = promisify(execFile)
const queue = { pending: 0, wantedRunners: 1, livingHosts: [] as string[] }
let asked: string[] = []
let folder = ''
const server = createServer((request, response) => {
  asked.push(`${request.url} ${request.headers.authorization}`)
  response.end(JSON.stringify({ status: 'ok', message: '', data: { oldestSeconds: 3, ...queue } }))
})

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'autoscale-'))
  asked = []
  queue.livingHosts = []
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
})
afterEach(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the script while these hosts exist. @returns its output, and the commands that the provider got */
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
    SILENT_MINUTES: '15',
    STATE: join(folder, 'state'),
  }
  const script = [`${ROOT}scripts/autoscale.sh`, ...args]
  const ended = await run('sh', script, { env }).then(
    (output) => ({ ...output, code: 0 }),
    (error: { stdout: string; stderr: string; code: number }) => error,
  )
  const lines = (text: string) => text.trim().split('\n').filter(Boolean)
  const done = lines(await readFile(join(folder, 'done'), 'utf8'))
  return { code: ended.code, said: lines(ended.stdout), warned: ended.stderr, done }
}

/** Moves the times of first sight and last report into the past. */
async function age(minutes: number): Promise<void> {
  const then = Date.now() / 1_000 - minutes * 60
  for (const name of await readdir(join(folder, 'state')))
    await utimes(join(folder, 'state', name), then, then)
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

test('a machine that never reports is named, and no more are rented while it is there', async () => {
  const [silent, judging] = ['coursejudge-host-1', 'coursejudge-host-2']
  Object.assign(queue, { pending: 700, wantedRunners: 3, livingHosts: [judging, 'host of ours'] })
  expect(await scale('hcloud', [silent, judging], ['--go'])).toMatchObject({ code: 0, warned: '' })
  await age(14)
  expect((await scale('hcloud', [silent, judging], ['--go'])).done).toHaveLength(1)
  await age(16)
  const stopped = await scale('hcloud', [silent, judging], ['--go'])
  expect(stopped).toMatchObject({ code: 1, done: [] })
  expect(stopped.warned).toMatch(
    /^These hosts have not reported for 15 minutes, so no more are rented: coursejudge-host-1\n/,
  )
  // When nothing waits, that host is deleted first.
  Object.assign(queue, { pending: 0, wantedRunners: 1 })
  expect((await scale('hcloud', [silent, judging], ['--go'])).done).toEqual([
    `server delete ${silent}`,
  ])
  Object.assign(queue, { pending: 700, wantedRunners: 2 })
  const gone = await scale('hcloud', [judging], ['--go'])
  expect(gone).toMatchObject({ code: 0, warned: '' })
  expect(gone.done).toHaveLength(1)
  // A new machine with the same name counts as another one.
  expect(await scale('hcloud', [silent, judging], ['--go'])).toMatchObject({ code: 0, warned: '' })
})
