/** The worker that parses Markdown (components/markdown-worker.ts): one text at a time, with a timeout. */
import type { Root } from 'hast'

/** A text that takes longer is shown as it was typed. */
const PATIENCE_MS = 3_000
/** The number of parsed texts in the cache. */
const REMEMBERED = 50

let worker: Worker | null = null
let last: Promise<unknown> = Promise.resolve()
const known = new Map<string, Root | null>()

/** The worker's next message; null on an error or a timeout. */
function nextMessage(from: Worker, patienceMs: number): Promise<unknown> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(null), patienceMs)
    function end(message: unknown) {
      clearTimeout(timer)
      resolve(message)
    }
    from.addEventListener('message', ({ data }: MessageEvent<unknown>) => end(data), { once: true })
    from.addEventListener('error', () => end(null), { once: true })
  })
}

/** Starts the worker unless it runs. Loading its files does not count for the timeout. */
async function start(): Promise<Worker | null> {
  if (worker) return worker
  const started = new Worker(new URL('../components/markdown-worker.ts', import.meta.url), {
    type: 'module',
  })
  if ((await nextMessage(started, 60_000)) === null) return null
  worker = started
  return started
}

/** Starts the worker before there is a text. */
export function prepareMarkdown(): void {
  last = last.then(start).catch(() => null)
}

function remember(text: string, tree: Root | null): void {
  known.set(text, tree)
  const oldest = known.keys().next()
  if (known.size > REMEMBERED && !oldest.done) known.delete(oldest.value)
}

async function read(text: string): Promise<Root | null> {
  const thread = await start()
  if (thread === null) return null
  const answer = nextMessage(thread, PATIENCE_MS)
  thread.postMessage(text)
  const message = await answer
  if (message === null) {
    thread.terminate()
    worker = null
  }
  // The worker answers a tree, or nothing.
  const tree = (message as { tree?: Root } | null)?.tree ?? null
  remember(text, tree)
  return tree
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
export async function readMarkdown(text: string, signal: AbortSignal): Promise<Root | null> {
  const turn = last.then(() => {
    const found = known.get(text)
    if (found !== undefined || signal.aborted) return found ?? null
    return read(text)
  })
  last = turn.catch(() => null)
  return turn
}
