/**
 * The worker that parses Markdown: some texts take minutes, by accident or by intent, and must not block the page.
 * Answers `{tree}`, or `{}` for a text that cannot be shown.
 */
import { treeOfMarkdown } from './read-markdown.ts'

addEventListener('message', ({ data }: MessageEvent<string>) => {
  treeOfMarkdown(data)
    .catch(() => undefined)
    .then((tree) => postMessage({ tree }))
    .catch(() => postMessage({}))
})

postMessage('ready')
