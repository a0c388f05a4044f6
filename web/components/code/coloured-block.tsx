import type { ReactNode } from 'react'
import { LANGUAGES } from '#contract/languages'
import type { EditorMode } from '#contract/languages/language'
import { useColouredCode } from '../../lib/text/use-coloured-code.ts'
import { ColouredLine } from './coloured-line.tsx'

/** Further language names of fenced code blocks, besides ids and file endings. */
const MORE_NAMES: ReadonlyMap<string, string> = new Map([
  ['h', 'c'],
  ['c++', 'cpp'],
  ['hpp', 'cpp'],
  ['python', 'py'],
  ['python3', 'py'],
])

/** The colouring of a fenced code block with this language name. */
function modeOfFence(name: string): EditorMode {
  const known = MORE_NAMES.get(name) ?? name
  const language = LANGUAGES.find(
    ({ id, fileEndings }) => id === known || fileEndings.includes(known),
  )
  return language?.editor ?? 'text'
}

/** A code block of Markdown, coloured if its fence names a known language. */
export function ColouredBlock({
  className = '',
  children,
}: {
  className?: string | undefined
  children?: ReactNode
}) {
  const name = /(?:^|\s)language-(\S+)/.exec(className)?.[1]?.toLowerCase() ?? ''
  const text = typeof children === 'string' ? children : ''
  const lines = useColouredCode(text, modeOfFence(name))
  return (
    <code className={className}>
      {lines === null
        ? children
        : lines.map((words, index) => (
            // Lines are known by their number.
            <span key={index}>
              <ColouredLine words={words} />
              {index < lines.length - 1 ? '\n' : null}
            </span>
          ))}
    </code>
  )
}
