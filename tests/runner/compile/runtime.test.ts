/** The host's files that a language's programs may see. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { type Language, LANGUAGES, languageOfId } from '#contract/languages'
import { runtimeOf } from '../../../runner/compile/runtime.ts'

const C = languageOfId('c')

test('what is named is found, what is missing is left out, and nothing is there twice', async () => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'runtime-')))
  await mkdir(join(folder, 'inside/deep'), { recursive: true })
  for (const name of ['a', 'b', 'inside/c']) await writeFile(join(folder, name), '')
  const [libc = ''] = (await runtimeOf(C)).filter((path) => path.endsWith('/libc.so.6'))
  const standard = join(dirname(libc), 'libstdc++.so.6')
  const runtime: Language['runtime'] = {
    libraries: ['libc.so.6', 'libthere-is-none.so.1'],
    paths: [
      `${folder}/*`,
      `${folder}/none`,
      `${folder}/none/*`,
      `${folder}/inside`,
      `${folder}/inside/c`,
      `${folder}/inside/deep`,
    ],
    // A library counts under the name by which programs load it, any other file under its own name.
    argv: ['/usr/bin/printf', '%s\\n', await realpath(standard), `${folder}/a`, `${folder}/b`],
  }
  const found = await runtimeOf({ ...C, runtime })
  expect(found.toSorted()).toEqual(
    [libc, standard, `${folder}/a`, `${folder}/b`, `${folder}/inside`].toSorted(),
  )
  await rm(folder, { recursive: true })
})

test('it is looked for once', () => {
  expect(runtimeOf(C)).toBe(runtimeOf(C))
})

test.each(LANGUAGES)('$label sees no compiler and no other language', async ({ id }) => {
  const paths = await runtimeOf(languageOfId(id))
  expect(paths.some((path) => path.endsWith('/libc.so.6'))).toBe(true)
  const foreign = /gcc\/|g\+\+|\/cc1|\/include|\/as$|\/ld$/
  expect(paths.filter((path) => foreign.test(path))).toEqual([])
  expect(paths.some((path) => path.includes('python3'))).toBe(id === 'py3')
  expect(paths).not.toContain('/usr')
  expect(paths).not.toContain('/usr/lib')
})
