/** Marks characters of a program that look like those of code and are none. */
import { syntaxTree } from '@codemirror/language'
import { Decoration, ViewPlugin, type DecorationSet, type EditorView } from '@codemirror/view'
import { misplacedIn, shortNote } from '../../lib/text/misplaced.ts'

/** The marks of what is in sight. */
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

/** CodeMirror's own `highlightSpecialChars` knows neither these signs nor what is a string or a comment. */
export const misplacedMarks = ViewPlugin.define(
  (view) => ({
    marks: marksOf(view),
    update({ view: next, docChanged, viewportChanged, startState, state }) {
      // The tree grows after the text has come.
      if (docChanged || viewportChanged || syntaxTree(startState) !== syntaxTree(state))
        this.marks = marksOf(next)
    },
  }),
  { decorations: ({ marks }) => marks },
)
