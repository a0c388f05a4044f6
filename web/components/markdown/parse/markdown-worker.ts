/** The worker that parses Markdown: some texts take minutes, by accident or by intent, and must not block the page. */
import { API_BASE } from '../../../lib/api/api-base.ts'
import { siteOf } from '../../../lib/text/text-address.ts'
import { loadMarkdownPart, readText, type MarkdownPart, type ReadText } from './read-markdown.ts'

/** A request from the page: to read a text, or to load a part that later texts need. */
export type MarkdownQuestion = { text: string } | { load: MarkdownPart }

export interface MarkdownAnswer {
  /** What this answers. `ready` comes first, without a request; the name of a part says that the part has loaded or failed. */
  to: 'ready' | 'text' | MarkdownPart
  /** The text; undefined if it cannot be shown. */
  read?: ReadText | undefined
}

const SITE = siteOf(location.href, API_BASE)

function answer(message: MarkdownAnswer): void {
  postMessage(message)
}

function read(text: string): ReadText | undefined {
  try {
    return readText(text, SITE)
  } catch {
    return undefined
  }
}

addEventListener('message', ({ data }: MessageEvent<MarkdownQuestion>) => {
  if ('text' in data) return answer({ to: 'text', read: read(data.text) })
  const { load } = data
  loadMarkdownPart(load)
    .catch(() => {})
    .finally(() => answer({ to: load }))
})

answer({ to: 'ready' })
