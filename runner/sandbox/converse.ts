/** Two programs that talk with each other, each in a box of its own. */
import { execFile } from 'node:child_process'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Box, RunRequest, RunResult } from './index.ts'

const run = promisify(execFile)

/** One side: its box, and how to run it. Its standard input is what the other side writes. */
export interface Side {
  box: Box
  request: Omit<RunRequest, 'input' | 'peerEnd'>
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
async function attachBoth(left: Box, right: Box, dir: string): Promise<void> {
  const pipes: FileHandle[] = []
  try {
    const toRight = await openPipe(dir, 'to-right')
    pipes.push(toRight)
    const toLeft = await openPipe(dir, 'to-left')
    pipes.push(toLeft)
    await left.attach(toLeft, toRight)
    await right.attach(toRight, toLeft)
  } finally {
    await Promise.all(pipes.map((pipe) => pipe.close()))
  }
}

/**
 * Runs both at the same time until both have ended. The right one, which has to wait for whatever the left one
 * does, has its wall limit from the left one's end on: nothing that the left one or a crowded machine does
 * makes it fail, and one that hangs is ended all the same, because the left one's limits end that.
 * @param dir a directory of this pair's own, for its pipes
 * @throws SandboxError when either sandbox failed, after both are over
 */
export async function converse(
  left: Side,
  right: Side,
  dir: string,
): Promise<[RunResult, RunResult]> {
  await attachBoth(left.box, right.box, dir)
  const first = left.box.run({ ...left.request, input: 'attached' })
  const second = right.box.run({ ...right.request, input: 'attached', peerEnd: first })
  await Promise.allSettled([first, second])
  return Promise.all([first, second])
}
