/** The misplaced characters of a whole program. Loaded only beside what a compiler has said. */
import type { EditorMode } from '#contract/languages'
import { GRAMMARS } from './grammars.ts'
import { misplacedIn } from './misplaced.ts'

export interface MisplacedAtLine {
  /** From 1. */
  line: number
  character: string
}

/** What is misplaced in each line, each character once. */
export async function findMisplaced(code: string, mode: EditorMode): Promise<MisplacedAtLine[]> {
  const parser = await GRAMMARS[mode].loadParser()
  const found = misplacedIn(code, 0, parser.parse(code))
  const ends = Array.from(code.matchAll(/\n/g), ({ index }) => index)
  let passed = 0
  // In their order, so that each line is passed once.
  const lines = Map.groupBy(found, ({ at }) => {
    while ((ends[passed] ?? Infinity) < at) passed += 1
    return passed + 1
  })
  return [...lines].flatMap(([line, all]) =>
    [...new Set(all.map(({ character }) => character))].map((character) => ({ line, character })),
  )
}
