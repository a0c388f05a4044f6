/** Rules of what the list of groups shows. */
import type { FailedCase, Hint, MistakeGroup } from '#contract/mistakes'
import type { CaseOutput } from '#contract/submissions'
import { visibleControls } from '../../lib/text/line-pieces.ts'

/** How many characters of an output a row shows. */
const EXCERPT = 60

/** The beginning of a text in one line. */
export function excerptOf(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  const line = lines.filter((each) => each !== '').join(' ⏎ ')
  // Code points, so that no character is cut in half.
  const characters = Array.from(line.slice(0, 3 * EXCERPT))
  const shown = characters.slice(0, EXCERPT).join('')
  return visibleControls(characters.length > EXCERPT ? `${shown}…` : shown)
}

/** What a program printed, for a row: a text, only blanks, or nothing. */
export function printedOf({ stdout, stdoutSize }: Pick<CaseOutput, 'stdout' | 'stdoutSize'>) {
  if (stdoutSize === 0) return { kind: 'nothing' } as const
  const text = excerptOf(stdout)
  return text === '' ? ({ kind: 'blanks' } as const) : ({ kind: 'text', text } as const)
}

function isSameCase(left: FailedCase | null, right: FailedCase | null): boolean {
  return left !== null && left.task === right?.task && left.case === right.case
}

/** Whether a hint stands under the verdict of the people of a group. */
export function isHintOf(hint: Hint, { mistake, merged, failed }: MistakeGroup): boolean {
  return hint.mistake === null
    ? isSameCase(hint.failed, failed)
    : hint.mistake === mistake || merged.includes(hint.mistake)
}

/** Whether a mistake counts to a group. */
export function isIn(group: MistakeGroup, mistake: string): boolean {
  return group.mistake === mistake || group.merged.includes(mistake)
}
