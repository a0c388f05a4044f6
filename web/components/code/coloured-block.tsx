import type { ReactNode } from 'react'
import { languageOfFence } from '#contract/languages'
import { useColouredCode } from '../../lib/text/use-coloured-code.ts'
import type { Word } from '../../lib/text/code-words.ts'

/** One line of a program in colours. */
export function ColouredLine({ words }: { words: readonly Word[] }) {
  return words.map(({ text, colour }, index) =>
    colour === '' ? (
      text
    ) : (
      // Words are identified by their position.
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
  const name = /(?:^|\s)language-(\S+)/.exec(className)?.[1] ?? ''
  const text = typeof children === 'string' ? children : ''
  const lines = useColouredCode(text, languageOfFence(name)?.editor ?? null)
  return (
    <code className={className}>
      {lines === null
        ? children
        : lines.map((words, index) => (
            // Lines are identified by their number.
            <span key={index}>
              <ColouredLine words={words} />
              {index < lines.length - 1 ? '\n' : null}
            </span>
          ))}
    </code>
  )
}
