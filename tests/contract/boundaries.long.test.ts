/**
 * The programs' tsconfigs keep them apart: `include` names only what a program may see, and the compiler refuses
 * an import from anywhere else. These tests compile small probe files as part of a program, from a temporary
 * folder, and read what the compiler says.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = join(root, 'node_modules/.cache')
const folders: string[] = []

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

/** Output of the compiler, whether it succeeds or not. */
function compile(project: string): Promise<string> {
  return new Promise((resolve) => {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    execFile(
      process.execPath,
      [tsc, '-b', project, '--pretty', 'false'],
      (_error, stdout, stderr) => resolve(stdout + stderr),
    )
  })
}

/** Modules that probes may not import, and one that they may; paths from the root. */
const SCHEMA = 'worker/db/schema.ts'
const VERDICT = 'runner/judge/verdict.ts'
const PATHS = 'web/paths.ts'
const CONTRACT = '#contract/limits'

/**
 * Compiles one probe for each module, as if it were a file of the program.
 * @param program folder of the program's tsconfig, from the root
 * @param modules what the probes import: a path from the root, or a `#contract/…` name
 * @returns module → the compiler's lines about its probe
 */
async function compileProbes(program: string, modules: string[]): Promise<Map<string, string>> {
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'boundary-'))
  folders.push(folder)
  const programFolder = join(root, program)
  const config: { include: string[]; references: { path: string }[] } = JSON.parse(
    await readFile(join(programFolder, 'tsconfig.json'), 'utf8'),
  )
  for (const [index, module] of modules.entries()) {
    const specifier = module.startsWith('#') ? module : relative(folder, join(root, module))
    const code = `import * as probed from '${specifier}'\nexport const names = Object.keys(probed)\n`
    await writeFile(join(folder, `probe-${index}.ts`), code)
  }
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: relative(folder, join(programFolder, 'tsconfig.json')),
      compilerOptions: {
        rootDir: root,
        outDir: join(folder, 'out'),
        tsBuildInfoFile: join(folder, 'out/probe.tsbuildinfo'),
      },
      include: [...config.include.map((pattern) => join(programFolder, pattern)), 'probe-*.ts'],
      references: config.references.map(({ path }) => ({ path: join(programFolder, path) })),
    }),
  )
  const lines = (await compile(join(folder, 'tsconfig.json'))).split('\n')
  return new Map(
    modules.map((module, index) => [
      module,
      lines.filter((line) => line.includes(`probe-${index}.ts`)).join('\n'),
    ]),
  )
}

/** The compiler's message about a file outside the program. */
function refusalOf(module: string): RegExp {
  return new RegExp(`error TS6307: .*${module.replaceAll('.', '\\.')}`)
}

test('the web app may import the contract, but nothing of the Worker or the runner', async () => {
  const said = await compileProbes('web', [SCHEMA, VERDICT, CONTRACT])
  expect(said.get(SCHEMA)).toMatch(refusalOf(SCHEMA))
  expect(said.get(VERDICT)).toMatch(refusalOf(VERDICT))
  expect(said.get(CONTRACT)).toBe('')
})

test('the runner may import the contract, but nothing of the Worker or the web app', async () => {
  const said = await compileProbes('runner', [SCHEMA, PATHS, CONTRACT])
  expect(said.get(SCHEMA)).toMatch(refusalOf(SCHEMA))
  expect(said.get(PATHS)).toMatch(refusalOf(PATHS))
  expect(said.get(CONTRACT)).toBe('')
})

test('the Worker may import the contract, but nothing of the runner or the web app', async () => {
  const said = await compileProbes('worker', [VERDICT, PATHS, CONTRACT])
  expect(said.get(VERDICT)).toMatch(refusalOf(VERDICT))
  expect(said.get(PATHS)).toMatch(refusalOf(PATHS))
  expect(said.get(CONTRACT)).toBe('')
})
