/**
 * The container image of a judge host: built from `runner/Dockerfile` and run with the settings of `runner/compose.yaml`, on a
 * kernel with cgroup v2. Needs root, for debootstrap, and x86-64, for user-mode Linux.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { LANGUAGES } from '#contract/languages'
import { STATUS } from '#contract/verdicts'
import { createProblem, submit, untilJudged } from '../../scripts/replay/send.ts'
import { PATIENCE_MS } from '../../scripts/test/patience.ts'
import { bootGuest, loadModule, quote } from '../../scripts/test/user-mode-linux.ts'
import { readCompose } from '../runner/fixtures/container.ts'
import { ENDINGS, PROGRAMS } from '../runner/fixtures/languages.ts'
import { afterThisFile } from '../support/clean-up.ts'
import { DOCKERFILE, guestPodman, openWorkshop, packContext } from '../support/image.ts'
import { clientOf, startTestStack, type TestStack } from '../support/stack.ts'

const IMAGE = 'localhost/coursejudge-runner'
const INSTALLED = 'localhost/coursejudge-installed'
/** The host's loopback, as seen by the guest. */
const HOST = '10.0.2.2'

/** The compose file's settings as podman options. The id maps do what the daemon's user namespace does. */
async function containerOptions(): Promise<string[]> {
  const { dropped, added, tmpfs, volume, seccomp } = await readCompose()
  return [
    '--uidmap=0:100000:65536',
    '--gidmap=0:100000:65536',
    ...dropped.map((capability) => `--cap-drop=${capability}`),
    ...added.map((capability) => `--cap-add=${capability}`),
    '--security-opt=no-new-privileges',
    `--security-opt=seccomp=${seccomp}`,
    '--security-opt=unmask=/sys/fs/cgroup',
    '--cgroupns=private',
    '--init',
    '--read-only',
    ...tmpfs.map((path) => `--tmpfs=${path}`),
    `--volume=state:${volume}`,
    '--pids-limit=2048',
    '--ulimit=nofile=1024:1024',
    '--ulimit=nproc=4096:4096',
    // The default network's addresses are those of the guest's own network.
    '--network=slirp4netns:cidr=10.0.3.0/24',
  ]
}

/** An image of the same files, in which the script of the install line and then the updater have run. */
function installedDockerfile(server: string): string {
  const settings = [`SERVER_URL=${server}`, 'RUNNER_TOKEN=secret']
  return [
    `FROM ${IMAGE}`,
    'USER 0:0',
    'COPY dist/runner/install.sh /',
    // Without this Node, the script would fetch one from nodejs.org.
    'RUN install -D /usr/local/bin/node /opt/coursejudge/node',
    `RUN printf '%s\\n' ${settings.map(quote).join(' ')} | sh /install.sh`,
    `RUN mkdir -p /state && STATE_DIRECTORY=/state SERVER_URL=${server} /opt/coursejudge/update`,
    'ENTRYPOINT ["/opt/coursejudge/node", "/state/packs/current/runner.mjs"]',
  ].join('\n')
}

/** Shell lines for a guest: they delegate control groups and mount the disk with the images. */
const prepare = [
  loadModule('drivers/net/tun.ko'),
  // Only leaves may hold processes (cgroups(7)).
  'mkdir /sys/fs/cgroup/init',
  'for pid in 1 $$; do echo $pid > /sys/fs/cgroup/init/cgroup.procs; done',
  'echo +cpu +memory +pids > /sys/fs/cgroup/cgroup.subtree_control',
  'mkdir /mnt/store',
  'mount -t ext4 /dev/ubda /mnt/store',
  `${guestPodman} images`,
]

/** Hands in the programs of all languages; answers the verdicts that are wrong. */
async function judgeAll(stack: TestStack): Promise<string[]> {
  const api = await clientOf(stack.url, 'admin')
  await api.call('POST', '/course', z.unknown(), { json: { course: 'Image', teacher: 'admin' } })
  const problemId = await createProblem(
    api,
    {
      name: 'image',
      title: 'Image',
      subtasks: [{ score: 100, timeMs: 2_000, memoryKb: 65_536, outputKb: 64 }],
      cases: [[{ input: Buffer.from('1 2\n'), output: Buffer.from('3\n') }]],
      compare: { mode: 'lines' },
      solutions: [],
    },
    'Image',
  )
  const wrong: string[] = []
  for (const { id, file } of LANGUAGES)
    for (const [ending, code] of Object.entries(PROGRAMS[id])) {
      const solution = { file, language: id, code: Buffer.from(code) }
      const submissionId = await submit(api, problemId, {
        ...solution,
        allowed: [],
        score: undefined,
        subtasks: undefined,
      })
      const detail = await untilJudged(api, submissionId, Date.now() + PATIENCE_MS)
      const expected = ENDINGS[ending as keyof typeof ENDINGS]
      console.log(`${id} ${ending}: ${detail?.status ?? STATUS.PENDING}, expected ${expected}`)
      if (detail?.status !== expected) wrong.push(`${id} ${ending}: ${detail?.status}`)
    }
  return wrong
}

test.skipIf(process.getuid?.() !== 0 || process.arch !== 'x64')(
  'the image is built, has no privilege, and judges a program of every ending in every language',
  async () => {
    const stack = await startTestStack({ runners: 0 })
    const workshop = await openWorkshop()
    await workshop.makeBases()
    const context = join(workshop.folder, 'context')
    await packContext(context)
    await workshop.build(IMAGE, DOCKERFILE, context, ['--build-arg', 'RUNNER_UID=0'])
    const installed = join(workshop.folder, 'installed')
    await writeFile(installed, installedDockerfile(stack.url))
    expect(await workshop.build(INSTALLED, installed, context)).toContain('Installed.')

    const options = (await containerOptions()).map(quote).join(' ')
    const settings = [
      `SERVER_URL=${stack.url.replace('127.0.0.1', HOST)}`,
      `RUNNER_REGISTRATION_TOKEN=${stack.runnerEnvironment['RUNNER_REGISTRATION_TOKEN']}`,
      'RUNNER_NAME=image',
      'RUNNER_SLOTS=1',
    ].map((setting) => `--env=${quote(setting)}`)
    const container = `${guestPodman} run --rm ${options}`
    const guest = bootGuest({
      commands: [
        ...prepare,
        `${container} --entrypoint id ${IMAGE}`,
        `${container} ${IMAGE} check`,
        `${container} ${INSTALLED} check`,
        `${container} ${settings.join(' ')} ${IMAGE}`,
      ],
      memory: '4096M',
      slowness: 3,
      disk: await workshop.makeDisk(),
      network: true,
      writable: [
        '/run',
        '/root',
        '/etc/containers',
        '/var/cache/containers',
        '/var/lib/containers',
      ],
    })
    afterThisFile(async () => {
      guest.stop()
      await guest.ended
    })
    const runnersAlive = async () => (await stack.untilHealthy()).runners
    await Promise.race([
      expect.poll(runnersAlive).toBe(1),
      guest.ended.then(() => expect.fail(`The guest has ended:\n${guest.output()}`)),
    ])
    expect(guest.output()).toMatch(/cgroup v2[^]*This host can judge[^]*This host can judge/)
    expect(await judgeAll(stack)).toEqual([])
  },
)
