/**
 * `npm run runner:pack` writes everything that a judge host needs of this project to dist/runner: the runner as one file with
 * the helper's C sources, the install script, the names of the Debian packages that it needs, and the files' hashes. The
 * build of the web app publishes the same files.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Plugin } from 'vite'
import { LANGUAGE_PACKAGES } from '#contract/languages'
import { runCommand } from '../plain-error.ts'
import { ROOT } from '../root.ts'
import { type ArchiveFile, tar } from '../../runner/lib/tar.ts'

/** The most gzipped bytes that a host downloads at each update. */
const MOST_BYTES = 200_000
const NATIVE = join(ROOT, 'runner/sandbox/native')
const PACKAGES = LANGUAGE_PACKAGES.join(' ')

/** Bundles the runner with its libraries, and their licences. */
async function bundle(): Promise<ArchiveFile[]> {
  const built = await build({
    configFile: false,
    root: ROOT,
    logLevel: 'warn',
    // Leaves out the code that modules run when they are started by themselves.
    define: { 'import.meta.main': 'false' },
    ssr: { noExternal: true },
    build: {
      ssr: 'runner/pack.ts',
      target: 'node24',
      write: false,
      minify: true,
      license: { fileName: 'licenses.txt' },
      rolldownOptions: { output: { codeSplitting: false, entryFileNames: 'runner.mjs' } },
    },
  })
  if (!('output' in built)) throw new Error('The bundler watches files.')
  return built.output.map((file) => ({
    name: file.fileName,
    content: Buffer.from(file.type === 'chunk' ? file.code : file.source),
  }))
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Packs the runner. The same sources give the same bytes. @throws Error when the packed runner is too large */
async function packRunner(): Promise<Buffer> {
  const native = readdirSync(NATIVE).filter((name) => /\.[ch]$/.test(name))
  const archive = tar([
    ...(await bundle()),
    { name: 'LICENSE', content: readFileSync(join(ROOT, 'LICENSE')) },
    ...native.map((name) => ({
      name: `native/${name}`,
      content: readFileSync(join(NATIVE, name)),
    })),
  ])
  const packed = gzipSync(archive, { level: 9 })
  // The system on which it was packed is set to “unknown” (RFC 1952, section 2.3.1).
  packed[9] = 255
  if (packed.length > MOST_BYTES)
    throw new Error(`The packed runner has ${packed.length} bytes; the limit is ${MOST_BYTES}.`)
  return packed
}

/** The install script. Lines like `@update.sh@` are replaced by the list of packages and by files that the script writes. */
function installScript(): Buffer {
  const read = (name: string) =>
    name === 'packages'
      ? PACKAGES
      : readFileSync(join(ROOT, 'runner/install', name), 'utf8').trimEnd()
  const filled = read('install.sh').replaceAll(/^@(.+)@$/gm, (_, name: string) => read(name))
  return Buffer.from(`${filled}\n`)
}

/** The files that judge hosts fetch below `/runner/` of the server. */
export async function hostFiles(): Promise<ArchiveFile[]> {
  const packed = await packRunner()
  const hash = sha256(packed)
  const files = [
    { name: `coursejudge-runner-${hash.slice(0, 12)}.tar.gz`, content: packed },
    { name: 'install.sh', content: installScript() },
    { name: 'packages', content: Buffer.from(`${PACKAGES}\n`) },
  ]
  const sums = files.map(({ name, content }) => `${sha256(content)}  ${name}\n`)
  return [...files, { name: 'SHA256SUMS', content: Buffer.from(sums.join('')) }]
}

/** Publishes these files with the web app, so that a server's hosts always run the runner that fits it. */
export function publishRunner(): Plugin {
  return {
    name: 'publish-runner',
    apply: 'build',
    async generateBundle() {
      for (const { name, content } of await hostFiles())
        this.emitFile({ type: 'asset', fileName: `runner/${name}`, source: content })
    },
  }
}

if (import.meta.main)
  await runCommand(async () => {
    const folder = join(ROOT, 'dist/runner')
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    for (const { name, content } of await hostFiles()) {
      writeFileSync(join(folder, name), content)
      console.log(`dist/runner/${name}: ${content.length} bytes`)
    }
  })
