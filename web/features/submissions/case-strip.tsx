import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { JudgingProgress } from '#contract/submissions'
import type { SubtaskResult } from '#contract/verdicts'
import classes from './case-strip.module.css'

/** With more cells than this, each cell would be thinner than the gap beside it. */
const MOST_CELLS = 150

/** What a cell shows: a verdict's number, or how far judging is. */
type CellState = `${number}` | 'skipped' | 'done' | 'now' | 'open'

/** Neighbouring cells of the same state. */
interface Run {
  state: CellState
  length: number
}

/** Joins equal neighbours if there is no room for every cell. */
function toRuns(cells: readonly CellState[], joins: boolean): Run[] {
  const runs: Run[] = []
  for (const state of cells) {
    const last = runs.at(-1)
    if (joins && last?.state === state) last.length += 1
    else runs.push({ state, length: 1 })
  }
  return runs
}

function Strip({ groups }: { groups: CellState[][] }) {
  const joins = groups.flat().length > MOST_CELLS
  return groups.map((cells, group) => (
    // Subtasks and cases are identified by their position.
    <span key={group} className={classes.group} style={{ flexGrow: cells.length }}>
      {toRuns(cells, joins).map(({ state, length }, index) => (
        <span
          key={index}
          className={classes.cell}
          data-state={state}
          style={{ flexGrow: length, background: cellColor(state) }}
        />
      ))}
    </span>
  ))
}

function cellColor(state: CellState): string | undefined {
  return /^\d/.test(state) ? `var(--verdict-${state})` : undefined
}

/** Cases while they are judged: the strip grows. */
export function GrowingCases({ done, total }: JudgingProgress) {
  const { t } = useTranslation()
  const cells = Array.from({ length: total }, (_, index): CellState => {
    if (index < done) return 'done'
    return index === done ? 'now' : 'open'
  })
  return (
    <>
      <VisuallyHidden>
        <progress aria-label={t('submission.progress')} max={total} value={done} />
      </VisuallyHidden>
      <div className={classes.strip} aria-hidden="true">
        <Strip groups={[cells]} />
      </div>
    </>
  )
}

/** The verdict of every case at a glance, a group for each subtask. */
export function JudgedCases({ subtasks }: { subtasks: readonly SubtaskResult[] }) {
  const { t } = useTranslation()
  const cases = subtasks.flatMap((subtask) => subtask.cases)
  const counts = Map.groupBy(cases, ({ status }) => status)
  const list = [...counts].map(([status, same]) => {
    const name = status === null ? t('verdict.skipped') : t(`verdict.name.${status}`)
    return `${name} × ${same.length}`
  })
  const groups = subtasks.map((subtask) =>
    subtask.cases.map(({ status }): CellState => (status === null ? 'skipped' : `${status}`)),
  )
  return (
    <>
      <VisuallyHidden>{list.join(', ')}</VisuallyHidden>
      <div className={classes.strip} aria-hidden="true" title={list.join(', ')}>
        <Strip groups={groups} />
      </div>
    </>
  )
}
