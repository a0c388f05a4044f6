import type { ReactNode } from 'react'
import { LANGUAGES } from '#contract/languages'
import type { EditorMode } from '#contract/languages/language'
import { useColouredCode } from '../../lib/text/use-coloured-code.ts'
import type { Word } from '../../lib/text/code-words.ts'

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

/** One line of a program in colours. */
export function ColouredLine({ words }: { words: readonly Word[] }) {
  return words.map(({ text, colour }, index) =>
    colour === '' ? (
      text
    ) : (
      // Words are known by their position.
      <span key={index} className={colour}>
        {text}
      </span>
    ),
  )
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
