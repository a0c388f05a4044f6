/** The worker that parses Markdown (components/markdown-worker.ts): one text at a time, with a timeout. */
import type { Root } from 'hast'
import type { MarkdownAnswer, MarkdownQuestion } from '../components/markdown-worker.ts'
import type { MarkdownPart, ReadText } from '../components/read-markdown.ts'

/** A text that takes longer is shown as it was typed. */
const PATIENCE_MS = 3_000
/** Files that take longer are given up. */
const LOADING_MS = 60_000
/** The number of parsed texts in the cache. */
const REMEMBERED = 50

/** Texts without one need not load what they stand for. */
const NAMED_CHARACTER = /&[A-Za-z]/

let worker: Worker | null = null
let last: Promise<unknown> = Promise.resolve()
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

/** Starts the worker unless it runs. Loading its files does not count for the timeout. */
async function start(): Promise<Worker | null> {
  if (worker) return worker
  const started = new Worker(new URL('../components/markdown-worker.ts', import.meta.url), {
    type: 'module',
  })
  if ((await nextAnswer(started, 'ready', LOADING_MS)) === null) return null
  worker = started
  return started
}

/** The worker, as soon as it has started; other texts may be read meanwhile. */
function running(): Promise<Worker | null> {
  const started = last.then(start)
  last = started.catch(() => null)
  return started
}

/** Starts the worker before there is a text. */
export function prepareMarkdown(): void {
  running().catch(() => null)
}

/** Has the worker load what only some texts need; texts are read meanwhile. */
export async function loadMarkdown(part: MarkdownPart): Promise<void> {
  const thread = await running()
  if (thread === null) return
  const loaded = nextAnswer(thread, part, LOADING_MS)
  ask(thread, { load: part })
  await loaded
}

function remember(text: string, tree: Root | null): void {
  known.set(text, tree)
  const oldest = known.keys().next()
  if (known.size > REMEMBERED && !oldest.done) known.delete(oldest.value)
}

async function read(text: string): Promise<ReadText | null> {
  const thread = await start()
  if (thread === null) return null
  const answered = nextAnswer(thread, 'text', PATIENCE_MS)
  ask(thread, { text })
  const answer = await answered
  if (answer === null) {
    thread.terminate()
    worker = null
  }
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
  const turn = last.then(() => {
    const tree = known.get(text)
    if (tree) return { tree, lacksFormulas: false }
    return tree === null || signal.aborted ? null : read(text)
  })
  last = turn.catch(() => null)
  return turn
}
