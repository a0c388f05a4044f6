/**
 * The thread that parses Markdown (components/markdown/parse/markdown-worker.ts): one text after the other. A slow text
 * ends the thread, and the next text gets a new thread.
 */
import type { Root } from 'hast'
import type {
  MarkdownAnswer,
  MarkdownQuestion,
} from '../../components/markdown/parse/markdown-worker.ts'
import type { MarkdownPart, ReadText } from '../../components/markdown/parse/read-markdown.ts'

/** A text that takes longer than this is shown as it was typed. */
const PATIENCE_MS = 2_000
/** Loading the thread's files is given up after this time. */
const LOADING_MS = 60_000
/** The number of parsed texts in the cache. */
const REMEMBERED = 50

/** Only a text that matches this may contain a named character like `&copy;`, for which the table of names is loaded. */
const NAMED_CHARACTER = /&[A-Za-z]/

interface Thread {
  worker: Worker
  /** Aborted when the thread is stopped. */
  end: AbortController
}

let running: Promise<Thread | null> | null = null
/** Resolves when the next text may be read. */
let last: Promise<unknown> = Promise.resolve()
/** The parts that a thread has loaded; a new thread loads them before it reads. */
const loaded = new Set<MarkdownPart>()
const known = new Map<string, Root | null>()

/** The thread's answer to a question; null on an error, a timeout or the end of the thread. */
function answerTo(
  question: MarkdownQuestion | null,
  to: MarkdownAnswer['to'],
  { worker, end }: Thread,
  patienceMs: number,
): Promise<MarkdownAnswer | null> {
  return new Promise((resolve) => {
    const over = new AbortController()
    const { signal } = over
    function finish(answer: MarkdownAnswer | null) {
      over.abort()
      clearTimeout(timer)
      resolve(answer)
    }
    const timer = setTimeout(() => finish(null), patienceMs)
    function hear({ data }: MessageEvent<MarkdownAnswer>) {
      if (data.to === to) finish(data)
    }
    worker.addEventListener('message', hear, { signal })
    worker.addEventListener('error', () => finish(null), { signal })
    end.signal.addEventListener('abort', () => finish(null), { signal })
    if (question) worker.postMessage(question)
  })
}

function stop({ worker, end }: Thread): void {
  running = null
  worker.terminate()
  end.abort()
}

/** Starts a thread. Loading its files does not count towards a text's timeout. */
async function start(): Promise<Thread | null> {
  const worker = new Worker(
    new URL('../../components/markdown/parse/markdown-worker.ts', import.meta.url),
    { type: 'module' },
  )
  const thread = { worker, end: new AbortController() }
  if ((await answerTo(null, 'ready', thread, LOADING_MS)) === null) {
    stop(thread)
    return null
  }
  await Promise.all([...loaded].map((part) => load(thread, part)))
  return thread
}

function started(): Promise<Thread | null> {
  running ??= start().catch(() => (running = null))
  return running
}

/** Starts the thread before there is a text to read. */
export function prepareMarkdown(): void {
  void started()
}

function load(thread: Thread, part: MarkdownPart): Promise<MarkdownAnswer | null> {
  return answerTo({ load: part }, part, thread, LOADING_MS)
}

/** Loads parts that only some texts need, while texts are read. */
export async function loadMarkdown(part: MarkdownPart): Promise<void> {
  const thread = await started()
  if (thread === null) return
  if ((await load(thread, part)) !== null) loaded.add(part)
  // A slow text has ended the thread meanwhile.
  else if (thread.end.signal.aborted) return loadMarkdown(part)
}

function remember(text: string, tree: Root | null): void {
  known.set(text, tree)
  const oldest = known.keys().next()
  if (known.size > REMEMBERED && !oldest.done) known.delete(oldest.value)
}

async function read(text: string): Promise<ReadText | null> {
  const thread = await started()
  if (thread === null) return null
  const answer = await answerTo({ text }, 'text', thread, PATIENCE_MS)
  if (answer === null) stop(thread)
  const found = answer?.read ?? null
  // A tree whose formulas are not rendered is not kept, because the tree with rendered formulas will be different.
  if (found?.lacksFormulas !== true) remember(text, found?.tree ?? null)
  return found
}

/** The cached tree of a text; null: the text is shown as typed; undefined: the tree is not known yet. */
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
