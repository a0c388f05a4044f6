/** Runs two programs that talk with each other, each in a box of its own. */
import { execFile } from 'node:child_process'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openUnnamedFile } from '../lib/unnamed-file.ts'
import type { Box, RunRequest, RunResult } from './box.ts'

const run = promisify(execFile)

/** One of the two programs: its box, and how to run it. It reads the other program's standard output. */
export interface Side {
  box: Box
  request: Omit<RunRequest, 'input' | 'peerEnd' | 'stop'>
}

/** Opens a named pipe in `dir`, made at first use by a command, because Node has no call for that. */
async function openPipe(dir: string, name: string): Promise<FileHandle> {
  const path = join(dir, name)
  const exists = await stat(path).then(
    (info) => info.isFIFO(),
    () => false,
  )
  if (!exists) await run('mkfifo', ['-m', '600', path])
  // It is opened for reading and writing, because opening one end alone waits for the other (fifo(7)).
  return open(path, 'r+')
}

/** Connects both boxes for their next run. Afterwards only the boxes hold the pipes, so each notices when the other ends. */
export async function attachBoth(left: Side, right: Side, dir: string): Promise<void> {
  const files: FileHandle[] = []
  const keep = async (opening: Promise<FileHandle>) => {
    const file = await opening
    files.push(file)
    return file
  }
  try {
    const toRight = await keep(openPipe(dir, 'to-right'))
    const toLeft = await keep(openPipe(dir, 'to-left'))
    const account = await keep(openUnnamedFile(dir))
    const peerOutput = right.request.output
    await left.box.attach({ part: 'relays', input: toLeft, output: toRight, account, peerOutput })
    await right.box.attach({ part: 'waits', input: toRight, output: toLeft, account })
  } finally {
    await Promise.all(files.map((file) => file.close()))
  }
}

/**
 * Runs two programs at the same time until both have ended. The left program's helper relays the output of both.
 * The left program's wall time excludes relaying and the right program's computing. The right program's wall limit counts
 * from the left program's end: neither a slow left program nor a crowded machine makes it fail. If the right program
 * hangs, the left program's limits end both.
 * @param decides whether the right program's end decides everything; then the left program is stopped
 * @param dir a directory of this pair's own, for its pipes
 * @throws SandboxError when either sandbox failed, after both have ended
 */
export async function converse(
  left: Side,
  right: Side,
  dir: string,
  decides: (right: RunResult) => boolean = () => false,
): Promise<[RunResult, RunResult]> {
  await attachBoth(left, right, dir)
  const stop = Promise.withResolvers<void>()
  const first = left.box.run({ ...left.request, input: 'attached', stop: stop.promise })
  const second = right.box.run({ ...right.request, input: 'attached', peerEnd: first })
  const stopIf = (decided: boolean) => decided && stop.resolve()
  second.then(
    (result) => stopIf(decides(result)),
    () => stopIf(true),
  )
  await Promise.allSettled([first, second])
  return Promise.all([first, second])
}
