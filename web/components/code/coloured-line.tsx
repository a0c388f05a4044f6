import type { Word } from '../../lib/text/code-words.ts'

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
