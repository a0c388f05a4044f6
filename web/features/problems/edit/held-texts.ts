/** Statement texts that name files which are not stored yet. */
import { problemFileAddress } from '#contract/problems/file-address'
import type { ProblemValues } from './form-values.ts'

/** The parts of a statement. */
export const STATEMENT_PARTS = ['description', 'input', 'output', 'hint'] as const
type StatementTexts = Pick<ProblemValues, (typeof STATEMENT_PARTS)[number]>

function eachText(texts: StatementTexts, change: (text: string) => string): StatementTexts {
  const { description, input, output, hint } = texts
  return {
    description: change(description),
    input: change(input),
    output: change(output),
    hint: change(hint),
  }
}

/** Replaces the address that a file had while it was held by the address of the stored file, in all texts. */
export function withStoredFile(
  texts: StatementTexts,
  heldId: string,
  fileId: string,
): StatementTexts {
  const [address, stored] = [heldId, fileId].map(problemFileAddress)
  return eachText(texts, (text) => text.replaceAll(address ?? '', stored ?? ''))
}

/** The texts without images and links of held files, which a reload loses. */
export function withoutFiles(texts: StatementTexts, heldIds: string[]): StatementTexts {
  return eachText(texts, (text) =>
    heldIds.reduce(
      (rest, id) =>
        rest.replaceAll(
          new RegExp(String.raw`!?\[(?:\\.|[^\\\][])*\]\(${problemFileAddress(id)}\)`, 'g'),
          '',
        ),
      text,
    ),
  )
}
