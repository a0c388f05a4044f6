/** Runs on the thread of `thread.ts`: compares several pairs of files in turns. */
import { readSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import type { ByteSource } from './byte-reader.ts'
import { type Comparison, outputsMatch } from './compare.ts'

/** A pair of files to compare. The descriptors stay open until the answer. */
export interface Question {
  id: number
  comparison: Comparison
  outputFd: number
  expectedFd: number
}

/** `matches` is null when a file could not be read; `error` says why. */
export interface Answer {
  id: number
  matches: boolean | null
  error?: unknown
}

/** Reads synchronously, then lets other pairs have a turn. */
function sourceOf(fd: number): ByteSource {
  return {
    read(buffer, offset, length, position) {
      const bytesRead = readSync(fd, buffer, offset, length, position)
      return new Promise((resolve) => setImmediate(() => resolve({ bytesRead })))
    },
  }
}

parentPort?.on('message', ({ id, comparison, outputFd, expectedFd }: Question) => {
  const answer = (rest: Omit<Answer, 'id'>) => parentPort?.postMessage({ id, ...rest })
  outputsMatch(comparison, sourceOf(outputFd), sourceOf(expectedFd)).then(
    (matches) => answer({ matches }),
    (error: unknown) => answer({ matches: null, error }),
  )
})
