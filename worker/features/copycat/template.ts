/** Templates: fenced code blocks of a statement. Using a template is not copying. */
import { languageOfFence, type CopyFamily } from '#contract/languages'
import type { ProblemDescription } from '#contract/problems'
import { gramHashes } from './fingerprints.ts'
import { tokenize } from './tokens.ts'

/** The fenced code blocks of a Markdown text (CommonMark §4.5) that may be of this family: a block without a language may be of any. */
function fencedCode(markdown: string, family: CopyFamily): string[] {
  const blocks: string[] = []
  let open: { fence: string; isOurs: boolean; lines: string[] } | null = null
  for (const line of markdown.split(/\r?\n/)) {
    const [, fence, word = ''] = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\s`]*)/.exec(line) ?? []
    if (open && fence?.startsWith(open.fence)) {
      if (open.isOurs) blocks.push(open.lines.join('\n'))
      open = null
    } else if (open) open.lines.push(line)
    else if (fence !== undefined) {
      const isOurs = word === '' || languageOfFence(word)?.copyFamily === family
      open = { fence, isOurs, lines: [] }
    }
  }
  return blocks
}

/** The hashes of every k-gram of a problem's templates. */
export function templateHashes(description: ProblemDescription, family: CopyFamily): Set<number> {
  const { description: text, input, output, hint } = description
  const blocks = [text, input, output, hint].flatMap((part) => fencedCode(part, family))
  return new Set(blocks.flatMap((code) => [...gramHashes(tokenize(code, family).kinds)]))
}
