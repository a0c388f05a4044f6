/** Root runs the scripts of a judge host over an /etc and an /opt that only the scripts see. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hostFiles } from '../../../scripts/bundle/pack-runner.ts'
import { ROOT } from '../../../scripts/root.ts'
import { tar } from '../../../runner/lib/tar.ts'
import { lockLists } from '../../support/apt-lock.ts'

let folder = ''
/** Files that the server publishes below /runner/. */
let published: Map<string, Buffer>
/** User agents that have asked for them. */
const agents = new Set<string | undefined>()
const server = createServer((request, response) => {
  agents.add(request.headers['user-agent'])
  const content = published.get(request.url?.replace('/runner/', '') ?? '')
  if (content) response.end(content)
  else response.writeHead(404).end()
})
let url = ''

beforeEach(async () => {
  // Not below /tmp, so that files that only root reaches play no part.
  await mkdir(join(ROOT, 'build'), { recursive: true })
  folder = await mkdtemp(join(ROOT, 'build/install-'))
  await chmod(folder, 0o755)
  published = new Map((await hostFiles()).map(({ name, content }) => [name, content]))
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.close()
  await rm(folder, { recursive: true, force: true })
})

/** A package that holds only this program. */
function publishOther(program: string): string {
  const pack = gzipSync(tar([{ name: 'runner.mjs', content: Buffer.from(program) }]))
  const sum = createHash('sha256').update(pack).digest('hex')
  const name = `coursejudge-runner-${sum.slice(0, 12)}.tar.gz`
  published = new Map([
    [name, pack],
    ['SHA256SUMS', Buffer.from(`${sum}  ${name}\n`)],
  ])
  return sum
}

interface Ended {
  code: number
  said: string
}

/** Runs a script as root in a mount namespace: Node is in /opt/coursejudge; /etc is a copy of this machine's that takes changes. */
async function inside(script: string, input = ''): Promise<Ended> {
  const lines = [
    'set -e',
    `mkdir -p '${folder}/mem'`,
    `mount -t tmpfs t '${folder}/mem'`,
    `mkdir '${folder}/mem/upper' '${folder}/mem/work'`,
    `mount -t overlay -o 'lowerdir=/etc,upperdir=${folder}/mem/upper,workdir=${folder}/mem/work' overlay /etc`,
    'mount -t tmpfs t /opt',
    'mkdir /opt/coursejudge',
    `cp '${process.execPath}' /opt/coursejudge/node`,
    script,
  ]
  return new Promise((resolve) => {
    const env = { PATH: process.env['PATH'], STATE_DIRECTORY: folder, SERVER_URL: url }
    const child = execFile(
      'unshare',
      ['--mount', 'sh', '-c', lines.join('\n')],
      { env },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), said: out + err }),
    )
    child.stdin?.end(input)
  })
}

const asRoot = describe.skipIf(process.getuid?.() !== 0)

asRoot('the updater', () => {
  const update = () => inside(`sh '${ROOT}runner/install/update.sh'`)
  const packs = async () => (await readdir(join(folder, 'packs'))).toSorted()

  test('fetches the runner, compiles its helper, and then finds nothing to do', async () => {
    expect(await update()).toMatchObject({ code: 0 })
    const sum = createHash('sha256')
      .update([...published.values()][0] ?? '')
      .digest('hex')
    expect(await packs()).toEqual([sum, 'current'].toSorted())
    expect(await readdir(join(folder, 'packs/current'))).toContain('build')
    for (const name of published.keys()) if (name !== 'SHA256SUMS') published.delete(name)
    expect(await update()).toMatchObject({ code: 0, said: '' })
    // Cloudflare refuses callers without a user agent of their own.
    expect([...agents]).toEqual(['coursejudge-runner'])
  })

  test('keeps what it has when a download fails, is another one or does not build', async () => {
    const first = publishOther('')
    const [another = Buffer.of()] = published.values()
    expect(await update()).toMatchObject({ code: 0 })
    const kept = [first, 'current'].toSorted()
    publishOther('process.exit(1)')
    const faults: (() => void)[] = [
      () => {},
      () => published.set([...published.keys()][0] ?? '', another),
      () => published.delete([...published.keys()][0] ?? ''),
      () => published.set('SHA256SUMS', Buffer.from('<!DOCTYPE html>')),
      () => published.clear(),
    ]
    for (const fault of faults) {
      fault()
      const { code, said } = await update()
      expect(code).toBe(0)
      expect(said).toContain('the one that is here starts')
      expect((await packs()).filter((name) => !name.startsWith('new'))).toEqual(kept)
    }
    const second = publishOther('process.exit(0)')
    expect(await update()).toMatchObject({ code: 0 })
    expect(await packs()).toEqual([second, 'current'].toSorted())
  })

  test('fails where there is no runner at all', async () => {
    published.clear()
    expect((await update()).code).toBe(1)
  })
})

asRoot('the install script', () => {
  const SETTINGS = '/etc/coursejudge/runner.env'

  test('run twice it changes nothing; the secret is in a file of mode 0600; without settings the old ones stay', async () => {
    await writeFile(join(folder, 'install.sh'), published.get('install.sh') ?? '')
    const look = `stat -c '%a %n' ${SETTINGS} /opt/coursejudge/update; cat ${SETTINGS}; id -un coursejudge
      cat /etc/systemd/system/coursejudge-runner.service`
    const { code, said } = await inside(
      `sh '${folder}/install.sh'; (${look}) > '${folder}/first'
      sh '${folder}/install.sh' < /dev/null; (${look}) > '${folder}/second'`,
      `SERVER_URL=${url}\nRUNNER_TOKEN=secret\n`,
    )
    expect({ code, said }).toMatchObject({ code: 0 })
    const first = await readFile(join(folder, 'first'), 'utf8')
    expect(first).toContain(
      `600 ${SETTINGS}\n755 /opt/coursejudge/update\nSERVER_URL=${url}\nRUNNER_TOKEN=secret\ncoursejudge\n`,
    )
    expect(first).toContain('ExecStartPre=/opt/coursejudge/update\n')
    expect(await readFile(join(folder, 'second'), 'utf8')).toBe(first)
    expect(said).not.toContain('secret')
  })

  test('while another apt-get holds the lock of the lists it waits, and says for what', async () => {
    await writeFile(join(folder, 'install.sh'), published.get('install.sh') ?? '')
    // This machine lacks no package; with a dpkg that knows none, the script asks apt, which has no sources.
    await writeFile(join(folder, 'dpkg'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    const lock = await lockLists(folder)
    const { code, said } = await inside(
      `export APT_CONFIG='${lock.config}' PATH='${folder}':"$PATH"
      { sh '${folder}/install.sh' 2>&1; echo "ended with $?"; } | while read -r line; do
        echo "$line"
        case $line in *'waiting for it'*) echo > '${lock.release}' ;; esac
      done`,
      `SERVER_URL=${url}\nRUNNER_TOKEN=secret\n`,
    )
    expect({ code, said: said.split('\n')[0] }).toEqual({
      code: 0,
      said: 'install.sh: another apt-get is at work; waiting for it, 5 minutes at most',
    })
    expect(said).toContain('ended with 0')
  })

  test('an apt-get that fails for another reason ends it at once, with its words', async () => {
    await writeFile(join(folder, 'install.sh'), published.get('install.sh') ?? '')
    await writeFile(join(folder, 'dpkg'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
    await writeFile(join(folder, 'apt.conf'), 'APT::Update::Pre-Invoke { "exit 7"; };\n')
    const { code, said } = await inside(
      `export APT_CONFIG='${folder}/apt.conf' PATH='${folder}':"$PATH"; sh '${folder}/install.sh'`,
      `SERVER_URL=${url}\nRUNNER_TOKEN=secret\n`,
    )
    expect(code).toBe(1)
    expect(said).toMatch(/^install\.sh: apt-get update failed:\nE: /)
  })

  test('on another system it names the systems that it is for, and changes nothing', async () => {
    await writeFile(join(folder, 'install.sh'), published.get('install.sh') ?? '')
    const release = 'ID=debian\\nVERSION_ID=11\\n'
    const { code, said } = await inside(
      `rm -f /etc/os-release; printf '${release}' > /etc/os-release
      sh '${folder}/install.sh' || { test ! -e ${SETTINGS} && exit 3; }`,
      `SERVER_URL=${url}\nRUNNER_TOKEN=secret\n`,
    )
    expect({ code, said }).toEqual({
      code: 3,
      said: 'install.sh: this is debian 11; it must be Debian 12 or 13 or Ubuntu 24.04\n',
    })
  })

  test.each([
    ['', 'SERVER_URL is missing'],
    [
      'SERVER_URL=https://judge.example.org\n',
      'RUNNER_TOKEN or RUNNER_REGISTRATION_TOKEN is missing',
    ],
    ['rm -rf x\n', 'a line that is not NAME=value'],
  ])('given %j it says what is missing and stops', async (input, says) => {
    await writeFile(join(folder, 'install.sh'), published.get('install.sh') ?? '')
    const { code, said } = await inside(`sh '${folder}/install.sh'`, input)
    expect(code).toBe(1)
    expect(said).toContain(says)
  })
})
