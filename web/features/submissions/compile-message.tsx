import { Link } from 'react-router'
import { piecesOf } from './compile-pieces.ts'
import { lineId } from './line-id.ts'
import classes from './submission-page.module.css'

/** What the compiler said, with links to the lines it names. */
export function CompileMessage({ text }: { text: string }) {
  return (
    <pre className={`app-card ${classes.message}`} tabIndex={0}>
      {piecesOf(text).map((piece, index) =>
        piece.line === null ? (
          piece.text
        ) : (
          // Pieces are known by their position.
          <Link key={index} to={{ hash: lineId(piece.line) }} replace preventScrollReset>
            {piece.text}
          </Link>
        ),
      )}
    </pre>
  )
}
