/** package-lock.json fits every machine: `npm ci` refuses a lock that lacks a platform's variant of a dependency. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as z from 'zod'

const entry = z.object({
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  optionalDependencies: z.record(z.string(), z.string()).default({}),
})
const lock = z.object({ packages: z.record(z.string(), entry) })
const { packages } = lock.parse(
  JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')),
)

/** Whether Node would find a package from `folder`: there, or in a folder above. */
function isListed(folder: string, name: string): boolean {
  if (packages[`${folder}/node_modules/${name}`.replace(/^\//, '')]) return true
  const above = folder.lastIndexOf('/node_modules/')
  return folder !== '' && isListed(above === -1 ? '' : folder.slice(0, above), name)
}

// npm leaves out variants that it cannot see: install from the public registry, without a node_modules folder.
test('the lock names every platform variant', () => {
  const missing = Object.entries(packages).flatMap(([folder, { optionalDependencies }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isListed(folder, name))
      .map(([name, version]) => `${name}@${version}`),
  )
  expect(Object.keys(packages).length).toBeGreaterThan(100)
  expect(missing).toEqual([])
})

test('the lock names no host', () => {
  const hosts = Object.values(packages).map(({ resolved }) => resolved ?? '')
  expect(hosts.filter((resolved) => /^(?:https?|git)/.test(resolved))).toEqual([])
})

// npm does not check a package that has no hash.
test('the lock holds the SHA-512 of every package', () => {
  const unproven = Object.entries(packages)
    .filter(
      ([folder, { integrity = '' }]) => folder !== '' && !/^sha512-[\w+/]{86}==$/.test(integrity),
    )
    .map(([folder]) => folder)
  expect(unproven).toEqual([])
})
