/** The helper compiles with compilers that know more warnings than ours. */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../../../scripts/root.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'build-'))
  for (const part of ['build.ts', 'errors.ts', 'native'])
    await cp(join(ROOT, 'runner/sandbox', part), join(folder, part), { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder, 'newer.h'), '#warning "a newer compiler says more"\n')
  // Without optimisation, because nobody runs this helper.
  const gcc = `#!/bin/sh\nexec /usr/bin/gcc -include '${folder}/newer.h' "$@" -O0 -U_FORTIFY_SOURCE\n`
  await writeFile(join(folder, 'gcc'), gcc, { mode: 0o755 })
})
afterAll(() => rm(folder, { recursive: true }))

/** Builds the helper with this value of `CI`; answers its path. */
async function build(CI: string): Promise<string> {
  const env = { ...process.env, CI, PATH: `${folder}${delimiter}${process.env['PATH']}` }
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'build.ts')], {
    env,
  })
  return stdout.trim()
}

test('a warning stops the build in continuous integration, and on no judge host', async () => {
  await expect(build('true')).rejects.toThrow(/does not compile: .*a newer compiler says more/s)
  const helper = await build('')
  expect(helper).toBe(join(folder, 'build/coursejudge-box'))
})
