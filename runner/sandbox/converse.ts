/** Two programs that talk with each other, each in a box of its own. */
import { execFile } from 'node:child_process'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openUnnamedFile } from '../lib/unnamed-file.ts'
import type { Box, RunRequest, RunResult } from './box.ts'

const run = promisify(execFile)

/** One side: its box, and how to run it. Its standard input is what the other side writes. */
export interface Side {
  box: Box
  request: Omit<RunRequest, 'input' | 'peerEnd' | 'stop'>
}

/** A named pipe in `dir`, made at first use; Node has no call for it. */
async function openPipe(dir: string, name: string): Promise<FileHandle> {
  const path = join(dir, name)
  const exists = await stat(path).then(
    (info) => info.isFIFO(),
    () => false,
  )
  if (!exists) await run('mkfifo', ['-m', '600', path])
  // For reading and writing, because opening one end alone waits for the other (fifo(7)).
  return open(path, 'r+')
}

/** Joins both boxes; afterwards only they hold the pipes, so that an end is seen as an end. */
async function attachBoth(left: Side, right: Side, dir: string): Promise<void> {
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
 * Runs both at the same time until both have ended. The left one's helper relays what both write; the wall time of
 * the left one is what it spends on its own, not what relaying or the right one's computing take. The right one,
 * which has to wait for whatever the left one does, has its wall limit from the left one's end on: nothing that the
 * left one or a crowded machine does makes it fail, and one that hangs is ended all the same, because the left
 * one's limits end that.
 * @param decides whether the right one's end decides everything, so that the left one need not go on
 * @param dir a directory of this pair's own, for its pipes
 * @throws SandboxError when either sandbox failed, after both are over
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
