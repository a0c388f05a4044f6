/** A judge host with a full disk: where results wait, where test data are, or everywhere. */
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { afterThisFile } from '../support/clean-up.ts'
import { eventually } from '../support/eventually.ts'
import type { TestRunner } from '../support/runner.ts'
import { FaultStack } from './support/fault-stack.ts'

const isRoot = process.getuid?.() === 0
if (!isRoot) console.log('Left out: a disk that is full. Only root may mount a small one.')

const PAGE_BYTES = 4_096
/** Room for a runner's state folder, without test data and programs. */
const FOLDER_BYTES = 16 * 1024 ** 2

let faults: FaultStack

beforeAll(async () => {
  if (isRoot) faults = await FaultStack.start()
})

async function mountDisk(folder: string, bytes: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=755`, 'tmpfs', folder])
  afterThisFile(async () => void execFileSync('umount', ['--lazy', folder]))
}

/** Fills a disk to its last byte. @returns a function that makes room again */
async function fill(folder: string, bytes: number): Promise<() => Promise<void>> {
  const file = join(folder, 'filler')
  // The write fails when the disk is full, as it should.
  await writeFile(file, Buffer.alloc(bytes)).catch(() => {})
  await expect(writeFile(join(folder, 'more'), 'x')).rejects.toThrow('ENOSPC')
  await rm(join(folder, 'more'), { force: true })
  return () => rm(file)
}

function logged({ events }: TestRunner, event: string): Promise<Record<string, unknown>> {
  return eventually(() => {
    const found = events.find((entry) => entry.event === event)
    expect(found, event).toBeDefined()
    return found ?? {}
  })
}

/** Adds a runner; one folder in its state folder is a disk of this size. Boxes must reach the state folder. */
async function addRunnerWithDisk(name: string, bytes: number): Promise<[TestRunner, string]> {
  const stateDir = faults.stateDirOf(faults.runners.length)
  const disk = join(stateDir, name)
  await mountDisk(disk, bytes)
  await chmod(stateDir, 0o755)
  return [await faults.addRunner(), disk]
}

test.skipIf(!isRoot)('no room for a result: it is sent all the same', async () => {
  const [runner, disk] = await addRunnerWithDisk('results', 2 * PAGE_BYTES)
  await runner.start()
  await fill(disk, 2 * PAGE_BYTES)
  const problemId = await faults.createProblem('no room for results')
  const sent = await faults.submitAll(problemId, 3, { mark: 'no room for results' })
  await faults.expectOneResultEach(sent)
  await logged(runner, 'result_not_kept')
  await runner.stop()
})

test.skipIf(!isRoot)(
  'no room for test data: the job goes back as the host’s trouble, and is judged when there is room',
  async () => {
    const [runner, disk] = await addRunnerWithDisk('test-data', 64 * PAGE_BYTES)
    await runner.start()
    const makeRoom = await fill(disk, 64 * PAGE_BYTES)
    const problemId = await faults.createProblem('no room for test data')
    const sent = await faults.submitAll(problemId, 3, { mark: 'no room for test data' })
    expect(await logged(runner, 'handed_back')).toMatchObject({
      fault: 'host',
      reason: expect.stringContaining('ENOSPC'),
    })
    await makeRoom()
    await faults.expectOneResultEach(sent)
    await runner.stop()
  },
)

test.skipIf(!isRoot)(
  'no room at all: nothing is failed, and everything is judged later',
  async () => {
    const [runner, disk] = await addRunnerWithDisk('', FOLDER_BYTES)
    await runner.start()
    const makeRoom = await fill(disk, FOLDER_BYTES)
    const problemId = await faults.createProblem('no room at all')
    const sent = await faults.submitAll(problemId, 3, { mark: 'no room at all' })
    await logged(runner, 'handed_back')
    await makeRoom()
    await faults.expectOneResultEach(sent)
    await runner.stop()
  },
)
