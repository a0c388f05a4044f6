/** The misplaced characters of a whole program. Loaded only beside a compiler's message. */
import type { EditorMode } from '#contract/languages'
import { GRAMMARS } from './grammars.ts'
import { misplacedIn } from './misplaced.ts'

export interface MisplacedAtLine {
  /** From 1. */
  line: number
  character: string
}

/** The misplaced characters of each line, each character once. */
export async function findMisplaced(code: string, mode: EditorMode): Promise<MisplacedAtLine[]> {
  const parser = await GRAMMARS[mode].loadParser()
  const found = misplacedIn(code, 0, parser.parse(code))
  const ends = Array.from(code.matchAll(/\n/g), ({ index }) => index)
  let passed = 0
  // The characters come in order, so that each line is passed only once.
  const lines = Map.groupBy(found, ({ at }) => {
    while ((ends[passed] ?? Infinity) < at) passed += 1
    return passed + 1
  })
  return [...lines].flatMap(([line, all]) =>
    [...new Set(all.map(({ character }) => character))].map((character) => ({ line, character })),
  )
}
