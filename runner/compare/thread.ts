/**
 * Compares large files on a second thread, which starts when it is first needed. On the main thread a comparison would
 * hold up all slots: 62 MB of blanks take a quarter of a second line by line, two seconds word by word.
 */
import type { FileHandle } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { type Comparison, outputsMatch } from './compare.ts'
import type { Answer, Question } from './worker.ts'

/** Two files that have at most this size together are compared on the main thread; that takes a few ms. */
const LARGE_BYTES = 1024 * 1024

/** The thread ends after this long without work. It holds some 20 MB of memory and takes 0.2 s of CPU time to start. */
const IDLE_MS = 10_000

/** A packed runner is this one file (`runner/pack.ts`). */
const THREAD_FILE = import.meta.url.endsWith('.ts') ? './worker.ts' : import.meta.url

class Thread {
  private readonly worker = new Worker(new URL(THREAD_FILE, import.meta.url))
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
    this.worker.postMessage({ ...question, id } satisfies Question)
    return asked.promise
  }

  private take({ id, matches, error }: Answer): void {
    const asked = this.waiting.get(id)
    this.waiting.delete(id)
    if (matches === null) asked?.reject(error)
    else asked?.resolve(matches)
    if (this.waiting.size > 0) return
    // The thread keeps the process alive only while a call waits.
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
 * Whether `output` is right.
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
