/** The container image of a judge host, built and run by podman on a Debian of debootstrap, without Docker Hub. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hostFiles } from '../../scripts/bundle/pack-runner.ts'
import { ROOT } from '../../scripts/root.ts'
import { afterThisFile } from './clean-up.ts'

const run = promisify(execFile)

export const DOCKERFILE = join(ROOT, 'runner/Dockerfile')
/** The base images, in the Dockerfile's order: Node's binary, and Debian. */
const [NODE = '', DEBIAN = ''] = Array.from(
  readFileSync(DOCKERFILE, 'utf8').matchAll(/^FROM (\S+)/gm),
  ([, image]) => image,
)
const MIRROR = 'http://deb.debian.org/debian'
/** Size of the disk: room for the images, and for files that a host writes. */
const DISK = '3G'

/** podman's folders for images, and its settings without systemd. */
const podmanOptions = (store: string, runRoot: string) => [
  `--root=${store}`,
  `--runroot=${runRoot}`,
  `--tmpdir=${runRoot}/tmp`,
  '--storage-driver=overlay',
  '--cgroup-manager=cgroupfs',
  '--events-backend=none',
]

/** The podman command in the guest, on its disk. */
export const guestPodman = ['podman', ...podmanOptions('/mnt/store', '/run/podman')].join(' ')

/** Makes a folder with the project files that `runner/Dockerfile` copies, and no others. */
export async function packContext(folder: string): Promise<void> {
  await mkdir(join(folder, 'dist/runner'), { recursive: true })
  for (const { name, content } of await hostFiles())
    await writeFile(join(folder, 'dist/runner', name), content)
}

/** A workspace for building images, removed after the file's last test. */
export async function openWorkshop() {
  const folder = await mkdtemp('/var/tmp/coursejudge-image-')
  afterThisFile(() => rm(folder, { recursive: true, force: true }))
  const options = podmanOptions(join(folder, 'store'), join(folder, 'run'))
  const podman = async (...args: string[]) => (await run('podman', [...options, ...args])).stdout

  /** Makes an image from a folder. */
  async function importFolder(from: string, name: string): Promise<void> {
    const archive = `${from}.tar`
    await run('tar', ['-C', from, '-cf', archive, '.'])
    await podman('import', '--quiet', archive, name)
    await rm(archive)
  }

  return {
    folder,

    /** Makes the base images: Debian by debootstrap, and Node's binary. */
    async makeBases(): Promise<void> {
      const debian = join(folder, 'debian')
      await run('debootstrap', ['--variant=minbase', 'bookworm', debian, MIRROR])
      await importFolder(debian, DEBIAN)
      const bin = join(folder, 'node/usr/local/bin')
      await mkdir(bin, { recursive: true })
      await copyFile(process.execPath, join(bin, 'node'))
      await chmod(join(bin, 'node'), 0o755)
      await importFolder(join(folder, 'node'), NODE)
    },

    /** Builds an image. Its RUN lines can reach this machine's loopback. */
    async build(name: string, dockerfile: string, context: string, args: string[] = []) {
      const network = ['--isolation', 'chroot', '--network', 'host']
      const what = ['-f', dockerfile, '-t', name, context]
      return podman('build', '--pull=never', ...network, ...args, ...what)
    },

    /** Makes a disk file with all images, for a guest's `/mnt/store`. */
    async makeDisk(): Promise<string> {
      const disk = join(folder, 'disk')
      // These files name the folder in which they were made.
      await rm(join(folder, 'store/libpod'), { recursive: true, force: true })
      const format = ['-q', '-t', 'ext4', '-O', '^has_journal']
      await run('mke2fs', [...format, '-d', join(folder, 'store'), disk, DISK])
      return disk
    },
  }
}
