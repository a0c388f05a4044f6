/**
 * Keeps package-lock.json fit for every machine.
 * `--check` fails when a platform variant of an optional dependency is missing (npm leaves out those it cannot
 * see when the lock is written, and `npm ci` elsewhere then refuses it: "Missing: … from lock file") or when an
 * entry names the host it came from. `--fix` adds the variants and removes the hosts.
 */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import * as z from 'zod'
import { PlainError, runCommand } from './plain-error.ts'
import { platformOf } from './platform-name.ts'
import { ROOT } from './root.ts'

const LOCK_FILE = `${ROOT}package-lock.json`
const EXACT_VERSION = /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/

const textList = z.union([z.string().transform((text) => [text]), z.array(z.string())])
const lockEntry = z.looseObject({
  version: z.string().optional(),
  resolved: z.string().optional(),
  dev: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
})
const lockFile = z.looseObject({ packages: z.record(z.string(), lockEntry) })
type Lock = z.infer<typeof lockFile>

/** What the registry says of one version. */
const manifest = z.object({
  os: textList.optional(),
  cpu: textList.optional(),
  libc: textList.optional(),
  engines: z.record(z.string(), z.string()).optional(),
  license: z.string().optional(),
  'dist.integrity': z.string().optional(),
})

/** Checks in place: a parsed copy would have its fields in another order. */
function isLock(value: unknown): value is Lock {
  return lockFile.safeParse(value).success
}

interface Missing {
  parent: string
  name: string
  version: string
}

/** Whether a package is where Node would find it from `parent`, or in any folder above. */
function isListed(lock: Lock, parent: string, name: string): boolean {
  let folder = parent
  for (;;) {
    if (lock.packages[folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`])
      return true
    if (folder === '') return false
    const above = folder.lastIndexOf('/node_modules/')
    folder = above === -1 ? '' : folder.slice(0, above)
  }
}

/** Optional dependencies that no entry of the lock answers. */
function missingVariants(lock: Lock): Missing[] {
  return Object.entries(lock.packages).flatMap(([parent, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !isListed(lock, parent, name))
      .map(([name, version]) => ({ parent, name, version })),
  )
}

/** Entries that name a host. */
function entriesWithHost(lock: Lock): string[] {
  return Object.entries(lock.packages)
    .filter(([, entry]) => /^(?:https?|git)/.test(entry.resolved ?? ''))
    .map(([path]) => path)
}

/** The lock's entry of a variant; a registry that does not show it leaves us with what its name says. */
async function variantEntry(missing: Missing, dev: boolean): Promise<Record<string, unknown>> {
  const fields = ['os', 'cpu', 'libc', 'engines', 'license', 'dist.integrity', 'version']
  const spec = `${missing.name}@${missing.version}`
  const shown = await promisify(execFile)('npm', ['view', spec, ...fields, '--json'])
    .then(({ stdout }) => manifest.parse(JSON.parse(stdout)))
    .catch(() => null)
  const platform = shown ?? platformOf(missing.name)
  if (!platform)
    throw new PlainError(`The registry does not show ${spec}, and its name tells no platform.`)
  return {
    version: missing.version,
    ...(shown?.['dist.integrity'] && { integrity: shown['dist.integrity'] }),
    ...(platform.cpu && { cpu: platform.cpu }),
    ...(dev && { dev: true }),
    ...(platform.libc && { libc: platform.libc }),
    ...(shown?.license && { license: shown.license }),
    optional: true,
    ...(platform.os && { os: platform.os }),
    ...(shown?.engines && { engines: shown.engines }),
  }
}

/** Adds what is missing and takes hosts out; entries stay in npm's order. */
async function fix(lock: Lock): Promise<number> {
  const missing = missingVariants(lock)
  for (const variant of missing) {
    if (!EXACT_VERSION.test(variant.version))
      throw new PlainError(
        `${variant.parent} wants ${variant.name}@${variant.version}, which is no exact version.`,
      )
    const dev = lock.packages[variant.parent]?.dev === true
    lock.packages[`node_modules/${variant.name}`] = await variantEntry(variant, dev)
  }
  for (const path of entriesWithHost(lock)) delete lock.packages[path]?.resolved
  const sorted = Object.entries(lock.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en'))
  lock.packages = Object.fromEntries(sorted)
  writeFileSync(LOCK_FILE, `${JSON.stringify(lock, null, 2)}\n`)
  return missing.length
}

async function main(): Promise<number> {
  const [mode] = process.argv.slice(2)
  const lock: unknown = JSON.parse(readFileSync(LOCK_FILE, 'utf8'))
  if (!isLock(lock)) throw new PlainError('package-lock.json is not a lock of version 3.')
  if (mode === '--fix') {
    console.log(`${await fix(lock)} platform variants added to package-lock.json.`)
    return 0
  }
  if (mode !== '--check') throw new PlainError('Usage: node scripts/lock.ts --check | --fix')
  const missing = missingVariants(lock).map(({ name, version }) => `${name}@${version} is missing`)
  const hosts = entriesWithHost(lock).map((path) => `${path} names a host`)
  for (const line of [...missing, ...hosts]) console.error(`package-lock.json: ${line}`)
  if (missing.length + hosts.length === 0) return 0
  console.error('Run: node scripts/lock.ts --fix')
  return 1
}

await runCommand(main)
