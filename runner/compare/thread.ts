/**
 * Compares files of any size without holding up the runner's own thread, on which all slots depend: 62 MB of blanks
 * take a quarter of a second of computing, by words two seconds. Large outputs go to a thread of their own, which starts with the first.
 */
import type { FileHandle } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { type Comparison, outputsMatch } from './compare.ts'
import type { Answer, Question } from './worker.ts'

/** Files of this size together take some ms; larger ones are worth asking another thread. Bytes. */
const LARGE_BYTES = 1024 * 1024

/** Without work for this long it ends: it takes some 20 MB of memory, and 0.2 s of CPU time to start. */
const IDLE_MS = 10_000

/** The other thread, from its start to its end. */
class Thread {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url))
  private readonly waiting = new Map<number, PromiseWithResolvers<boolean>>()
  private questions = 0
  private idle: NodeJS.Timeout | undefined

  constructor() {
    this.worker.on('message', (answer: Answer) => this.take(answer))
    this.worker.on('error', (error) => this.end(error))
    this.worker.on('exit', () => this.end(new Error('The thread that compares has ended.')))
  }

  ask(question: Omit<Question, 'id'>): Promise<boolean> {
    const id = this.questions++
    const asked = Promise.withResolvers<boolean>()
    this.waiting.set(id, asked)
    clearTimeout(this.idle)
    this.worker.ref()
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    this.worker.postMessage({ ...question, id } satisfies Question)
    return asked.promise
  }

  private take({ id, matches, error }: Answer): void {
    const asked = this.waiting.get(id)
    this.waiting.delete(id)
    if (matches === null) asked?.reject(error)
    else asked?.resolve(matches)
    if (this.waiting.size > 0) return
    // It keeps the process alive only while somebody waits.
    this.worker.unref()
    this.idle = setTimeout(() => {
      thread = null
      void this.worker.terminate()
    }, IDLE_MS).unref()
  }

  private end(error: unknown): void {
    if (thread === this) thread = null
    for (const asked of this.waiting.values()) asked.reject(error)
    this.waiting.clear()
  }
}

let thread: Thread | null = null

/**
 * Whether `output` counts as `expected`.
 * @throws when a file cannot be read
 */
export async function filesMatch(
  comparison: Comparison,
  output: FileHandle,
  expected: FileHandle,
): Promise<boolean> {
  const sizes = await Promise.all([output, expected].map(async (file) => (await file.stat()).size))
  if (sizes.reduce((sum, size) => sum + size, 0) <= LARGE_BYTES)
    return outputsMatch(comparison, output, expected)
  thread ??= new Thread()
  return thread.ask({ comparison, outputFd: output.fd, expectedFd: expected.fd })
}
