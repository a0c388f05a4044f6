/** Marks characters of a program that only look like characters of code. */
import { syntaxTree } from '@codemirror/language'
import { Decoration, ViewPlugin, type DecorationSet, type EditorView } from '@codemirror/view'
import { misplacedIn, shortNote } from '../../lib/text/misplaced.ts'

/** The marks of the lines in sight. */
function marksOf({ state, visibleRanges }: EditorView): DecorationSet {
  const tree = syntaxTree(state)
  const found = visibleRanges.flatMap(({ from, to }) =>
    misplacedIn(state.sliceDoc(from, to), from, tree),
  )
  return Decoration.set(
    found.map(({ at, character }) =>
      Decoration.mark({
        class: 'cm-misplaced',
        attributes: { title: shortNote(character) },
      }).range(at, at + character.length),
    ),
  )
}

/** CodeMirror's own `highlightSpecialChars` does not know these characters, and does not skip strings and comments. */
export const misplacedMarks = ViewPlugin.define(
  (view) => ({
    marks: marksOf(view),
    update({ view: next, docChanged, viewportChanged, startState, state }) {
      // The syntax tree changes later than the text, because it is parsed afterwards.
      if (docChanged || viewportChanged || syntaxTree(startState) !== syntaxTree(state))
        this.marks = marksOf(next)
    },
  }),
  { decorations: ({ marks }) => marks },
)
