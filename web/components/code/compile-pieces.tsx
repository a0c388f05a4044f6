import { Fragment, type ReactNode } from 'react'
import { piecesOf } from '../../lib/text/compile-pieces.ts'

interface CompilePiecesProps {
  text: string
  /** Shows a place of the program, like `main.c:12:5`, with its line, from 1. */
  children: (place: string, line: number) => ReactNode
}

/** A compiler's message; `children` renders the places that it names. */
export function CompilePieces({ text, children }: CompilePiecesProps) {
  return piecesOf(text).map((piece, index) => (
    // Pieces are identified by their position.
    <Fragment key={index}>
      {piece.line === null ? piece.text : children(piece.text, piece.line)}
    </Fragment>
  ))
}
