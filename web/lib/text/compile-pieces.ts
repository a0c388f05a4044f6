/** A place in a compiler's message: `main.c:12:5` of the C compilers, `line 12` of Python. */
const PLACE = /(main\.(?:cpp|c|py):(\d+)(?::\d+)?|\bline (\d+)\b)/g

interface Piece {
  text: string
  line: number | null
}

/** A compiler message split at the source positions it names. */
export function piecesOf(message: string): Piece[] {
  const pieces: Piece[] = []
  let end = 0
  for (const match of message.matchAll(PLACE)) {
    pieces.push({ text: message.slice(end, match.index), line: null })
    pieces.push({ text: match[0], line: Number(match[2] ?? match[3]) })
    end = match.index + match[0].length
  }
  pieces.push({ text: message.slice(end), line: null })
  return pieces.filter(({ text }) => text !== '')
}
