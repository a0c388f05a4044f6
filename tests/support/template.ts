/**
 * The common start of all test files' judges, made once before the first file: databases with and without the demo
 * course, and the runners' precompiled headers. A file's judge starts from a copy, which saves seconds. Files that do not
 * disturb one another share one judge, which starts when the first of them asks for it.
 */
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { prepareTools } from '../../runner/host/tools.ts'
import { buildWeb } from '../../scripts/bundle/build-web.ts'
import { DEMO_ADMIN } from '../../scripts/demo/accounts.ts'
import { prepareDatabase } from '../../scripts/stack/local-database.ts'
import { fillDemo, type DemoIds } from '../../scripts/demo/fill.ts'
import { freePort } from '../../scripts/stack/ports.ts'
import { seedDemo } from '../../scripts/stack/seed-demo.ts'
import { startStack, type Stack } from '../../scripts/stack/stack.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder that `setup` fills. */
    judgeTemplate: string
    /** The address for asking after the shared judge; it answers a `SharedJudge`. */
    sharedJudge: string
  }
}

export interface SharedJudge {
  url: string
  ids: DemoIds
}

async function makeDemo(stateDir: string, empty: string): Promise<void> {
  await cp(empty, stateDir, { recursive: true })
  const stack = await startStack({ port: await freePort(), stateDir, runners: 0 })
  try {
    await seedDemo(stack.url)
  } finally {
    await stack.stop()
  }
  for (const name of ['registry', 'logs']) await rm(join(stateDir, name), { recursive: true })
}

/** Gives every file the address of the shared judge, and starts it for the first one. */
async function offerShared(
  template: string,
): Promise<{ address: string; stop: () => Promise<void> }> {
  const stateDir = join(template, 'shared')
  let started: Promise<Stack> | undefined
  let filled: Promise<SharedJudge> | undefined

  async function start(): Promise<Stack> {
    await copyTemplate(template, stateDir, { demo: true, runners: 1 })
    const variables = { SUBMIT_LIMIT_PER_MINUTE: '0' }
    return startStack({ port: await freePort(), stateDir, runners: 1, variables })
  }
  async function fill(): Promise<SharedJudge> {
    started ??= start()
    const stack = await started
    await stack.untilHealthy()
    return { url: stack.url, ids: await fillDemo(stack.url) }
  }

  const server: Server = createServer((_, response) => {
    filled ??= fill()
    filled.then(
      (judge) => response.end(JSON.stringify(judge)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await listening
  const address = server.address()
  return {
    address: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    async stop() {
      server.close()
      const stack = await started?.catch(() => undefined)
      await stack?.stop()
    },
  }
}

/** Vitest's global set-up of the browser tests; answers the function that cleans up. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'judge-template-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await buildWeb()
    // Fault tests need no demo course, and start their own runners.
    const isWhole = project.name !== 'faults'
    const tools =
      isWhole && prepareTools(join(folder, 'tools'), (event, fields) => console.log(event, fields))
    await prepareDatabase(join(folder, 'empty/worker'), DEMO_ADMIN)
    if (isWhole) await makeDemo(join(folder, 'demo'), join(folder, 'empty'))
    await tools
    const shared = await offerShared(folder)
    project.provide('judgeTemplate', folder)
    project.provide('sharedJudge', shared.address)
    return async () => {
      await shared.stop()
      await remove()
    }
  } catch (error) {
    await remove()
    throw error
  }
}

/** Fills the empty state folder of a judge from the template. */
export async function copyTemplate(
  template: string,
  stateDir: string,
  { demo, runners }: { demo: boolean; runners: number },
): Promise<void> {
  await cp(join(template, demo ? 'demo' : 'empty'), stateDir, { recursive: true })
  for (let number = 1; number <= runners; number += 1) {
    const runner = join(stateDir, `runner-${number}`)
    await mkdir(runner)
    // Runners only read these files.
    await symlink(join(template, 'tools'), join(runner, 'tools'))
  }
}
