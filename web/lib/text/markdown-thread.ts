/**
 * The threads that parse Markdown (components/markdown/parse/markdown-worker.ts): one text after the other, with a timeout. A slow text
 * keeps its thread, and those behind it get another one.
 */
import type { Root } from 'hast'
import type {
  MarkdownAnswer,
  MarkdownQuestion,
} from '../../components/markdown/parse/markdown-worker.ts'
import type { MarkdownPart, ReadText } from '../../components/markdown/parse/read-markdown.ts'

/** The texts behind one that takes longer no longer wait for it. */
const SLOW_MS = 1_000
/** A text that takes longer is shown as it was typed. */
const PATIENCE_MS = 3_000
/** Threads that read at the same time. With these times a row of slow texts needs no more to move on each second. */
const MOST_READING = PATIENCE_MS / SLOW_MS
/** Files that take longer are given up. */
const LOADING_MS = 60_000
/** The number of parsed texts in the cache. */
const REMEMBERED = 50

/** Texts without one need not load what they stand for. */
const NAMED_CHARACTER = /&[A-Za-z]/

interface Thread {
  worker: Worker
  /** Resolves when nothing more is asked of it. */
  left: Promise<'left'>
  leave: () => void
}

/** The one of the next text. */
let current: Thread | null = null
/** Ends when the next text may be read. */
let last: Promise<unknown> = Promise.resolve()
const readings = new Set<Promise<unknown>>()
/** What a thread has loaded once, so that any other has it soon. */
const loaded = new Set<MarkdownPart>()
const known = new Map<string, Root | null>()

/** The worker's next answer to something; null on an error or a timeout. */
function nextAnswer(
  from: Worker,
  to: MarkdownAnswer['to'],
  patienceMs: number,
): Promise<MarkdownAnswer | null> {
  return new Promise((resolve) => {
    const over = new AbortController()
    const { signal } = over
    function end(answer: MarkdownAnswer | null) {
      over.abort()
      clearTimeout(timer)
      resolve(answer)
    }
    const timer = setTimeout(() => end(null), patienceMs)
    function hear({ data }: MessageEvent<MarkdownAnswer>) {
      if (data.to === to) end(data)
    }
    from.addEventListener('message', hear, { signal })
    from.addEventListener('error', () => end(null), { signal })
  })
}

function ask(of: Worker, question: MarkdownQuestion): void {
  of.postMessage(question)
}

/** A thread that is at no text: the current one, or a new one. Loading its files does not count for the timeouts. */
async function start(): Promise<Thread | null> {
  while (readings.size >= MOST_READING) await Promise.race(readings)
  if (current) return current
  const worker = new Worker(
    new URL('../../components/markdown/parse/markdown-worker.ts', import.meta.url),
    {
      type: 'module',
    },
  )
  if ((await nextAnswer(worker, 'ready', LOADING_MS)) === null) {
    worker.terminate()
    return null
  }
  let tell: (end: 'left') => void = () => {}
  const left = new Promise<'left'>((resolve) => (tell = resolve))
  const thread = {
    worker,
    left,
    leave() {
      if (current === thread) current = null
      tell('left')
    },
  }
  current = thread
  return thread
}

/** A thread, as soon as it has started; other texts may be read meanwhile. */
function running(): Promise<Thread | null> {
  const started = last.then(start)
  last = started.catch(() => null)
  return started
}

/** Starts a thread before there is a text. */
export function prepareMarkdown(): void {
  running().catch(() => null)
}

function load({ worker }: Thread, part: MarkdownPart): Promise<MarkdownAnswer | null> {
  const answered = nextAnswer(worker, part, LOADING_MS)
  ask(worker, { load: part })
  return answered
}

/** Loads what only some texts need; texts are read meanwhile. */
export async function loadMarkdown(part: MarkdownPart): Promise<void> {
  const thread = await running()
  if (thread === null) return
  const answer = await Promise.race([load(thread, part), thread.left])
  // A slow text keeps that thread from answering.
  if (answer === 'left') return loadMarkdown(part)
  if (answer !== null) loaded.add(part)
}

function remember(text: string, tree: Root | null): void {
  known.set(text, tree)
  const oldest = known.keys().next()
  if (known.size > REMEMBERED && !oldest.done) known.delete(oldest.value)
}

async function read(text: string, thread: Thread): Promise<ReadText | null> {
  const { worker, leave } = thread
  const slow = setTimeout(leave, SLOW_MS)
  await Promise.all([...loaded].map((part) => load(thread, part)))
  const answered = nextAnswer(worker, 'text', PATIENCE_MS)
  ask(worker, { text })
  const answer = await answered
  clearTimeout(slow)
  if (answer === null) leave()
  if (current !== thread) worker.terminate()
  const found = answer?.read ?? null
  // With its formulas it will be another tree.
  if (found?.lacksFormulas !== true) remember(text, found?.tree ?? null)
  return found
}

/** The cached tree of a text; null: shown as typed; undefined: unknown. */
export function knownMarkdown(text: string): Root | null | undefined {
  return known.get(text)
}

/**
 * Parses a Markdown text.
 * @param signal skips a text that has changed before its turn
 * @returns null if the text has to be shown as typed
 */
export async function readMarkdown(text: string, signal: AbortSignal): Promise<ReadText | null> {
  if (!known.has(text) && NAMED_CHARACTER.test(text)) await loadMarkdown('characters')
  const turn = last.then(async () => {
    const tree = known.get(text)
    if (tree) return { found: { tree, lacksFormulas: false } }
    if (tree === null || signal.aborted) return null
    const thread = await start()
    if (thread === null) return null
    const found = read(text, thread)
    const over = found.catch(() => null).finally(() => readings.delete(over))
    readings.add(over)
    return { found, free: Promise.race([over, thread.left]) }
  })
  last = turn.then((begun) => begun?.free).catch(() => null)
  return (await turn)?.found ?? null
}
