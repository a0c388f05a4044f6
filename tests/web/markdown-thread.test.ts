/** How texts share the thread that parses Markdown. Stand-ins replace the threads, so that a test sets how long each text takes. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type {
  MarkdownAnswer,
  MarkdownQuestion,
} from '../../web/components/markdown/parse/markdown-worker.ts'
import type { ReadText } from '../../web/components/markdown/parse/read-markdown.ts'

const HONEST: ReadText = { tree: { type: 'root', children: [] }, lacksFormulas: false }
/** The longest time for parsing a text; after it the text is shown as typed. */
const PATIENCE_MS = 2_000

let threads: StandIn[] = []

/** The time in which a part loads. */
const LOADING_MS = 300

/** Parses a text that starts with "slow" for ever, and one that starts with "long" for nearly all its time; hears nothing meanwhile. */
class StandIn extends EventTarget {
  readonly texts: string[] = []
  readonly parts: string[] = []
  isAlive = true
  #isBusy = false

  constructor() {
    super()
    threads.push(this)
    this.#answer({ to: 'ready' }, 0)
  }

  #answer(data: MarkdownAnswer, afterMs: number): void {
    setTimeout(() => {
      if ('read' in data) this.#isBusy = false
      if (this.isAlive && !this.#isBusy) this.dispatchEvent(new MessageEvent('message', { data }))
    }, afterMs)
  }

  postMessage(question: MarkdownQuestion): void {
    if ('load' in question) {
      this.parts.push(question.load)
      return this.#answer({ to: question.load }, LOADING_MS)
    }
    const { text } = question
    this.texts.push(text)
    this.#isBusy = /^(slow|long)/.test(text)
    if (!text.startsWith('slow'))
      this.#answer({ to: 'text', read: HONEST }, text.startsWith('long') ? PATIENCE_MS - 100 : 0)
  }

  terminate(): void {
    this.isAlive = false
  }
}

/** The module as in a newly opened page. */
async function opened() {
  vi.resetModules()
  return import('../../web/lib/text/markdown-thread.ts')
}

/** Records the outcome of each text, in the order in which they come. */
function readAll(
  { readMarkdown }: Awaited<ReturnType<typeof opened>>,
  texts: readonly string[],
): string[] {
  const told: string[] = []
  for (const text of texts)
    void readMarkdown(text, new AbortController().signal).then((read) =>
      told.push(read ? text : `${text} as typed`),
    )
  return told
}

beforeEach(() => {
  threads = []
  vi.useFakeTimers()
  vi.stubGlobal('Worker', StandIn)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('honest texts share one thread', async () => {
  const told = readAll(await opened(), ['one', 'two', 'three'])
  await vi.advanceTimersByTimeAsync(100)
  expect(told).toEqual(['one', 'two', 'three'])
  expect(threads).toHaveLength(1)
})

test('a slow text is shown as typed, and the one behind it read by a new thread', async () => {
  const told = readAll(await opened(), ['slow', 'honest'])
  await vi.advanceTimersByTimeAsync(PATIENCE_MS - 100)
  expect(told).toEqual([])
  await vi.advanceTimersByTimeAsync(200)
  expect(told).toEqual(['slow as typed', 'honest'])
  expect(threads.map(({ isAlive }) => isAlive)).toEqual([false, true])
})

test('a part that a slow text keeps from coming is loaded by the next thread', async () => {
  const page = await opened()
  let isLoaded = false
  void page.loadMarkdown('formulas').then(() => (isLoaded = true))
  const told = readAll(page, ['slow', 'named &copy;'])
  await vi.advanceTimersByTimeAsync(PATIENCE_MS + 3 * LOADING_MS)
  expect(isLoaded).toBe(true)
  expect(told).toEqual(['slow as typed', 'named &copy;'])
})

test('a new thread has the parts of the one before when it reads', async () => {
  const page = await opened()
  await Promise.all([page.loadMarkdown('formulas'), vi.advanceTimersByTimeAsync(LOADING_MS)])
  const told = readAll(page, ['slow', 'honest'])
  await vi.advanceTimersByTimeAsync(PATIENCE_MS + LOADING_MS - 100)
  expect(told).toEqual(['slow as typed'])
  await vi.advanceTimersByTimeAsync(200)
  expect(told).toEqual(['slow as typed', 'honest'])
  expect(threads.map(({ parts }) => parts)).toEqual([['formulas'], ['formulas']])
})

test('of a row of slow texts each has a thread after the other, and is tried once', async () => {
  const page = await opened()
  const slow = Array.from({ length: 4 }, (_, index) => `slow ${index}`)
  const told = readAll(page, [...slow, 'honest'])
  let most = 0
  for (let ms = 0; ms <= slow.length * PATIENCE_MS; ms += 100) {
    // Each step needs a timer of its own.
    await vi.advanceTimersByTimeAsync(100)
    most = Math.max(most, threads.filter(({ isAlive }) => isAlive).length)
  }
  expect(most).toBe(1)
  expect(told).toEqual([...slow.map((text) => `${text} as typed`), 'honest'])
  const again = readAll(page, slow)
  await vi.advanceTimersByTimeAsync(100)
  expect(again).toEqual(slow.map((text) => `${text} as typed`))
  expect(threads.flatMap(({ texts }) => texts)).toEqual([...slow, 'honest'])
})

test('a long text is read to its end, and those behind it wait', async () => {
  const told = readAll(await opened(), ['long', 'honest'])
  await vi.advanceTimersByTimeAsync(PATIENCE_MS)
  expect(told).toEqual(['long', 'honest'])
  expect(threads).toHaveLength(1)
})
