import { useMutation, type InfiniteData } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { marksEdited, type GradebookPage } from '#contract/gradebook'
import { ApiError, LOCAL_ERROR_CODES } from '../../lib/api/api-error.ts'
import { call } from '../../lib/api/call.ts'
import { errorText } from '../../lib/api/error-text.ts'
import { queryClient, refresh } from '../../lib/api/query-client.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { refreshMarks } from '../../lib/queries/marks.ts'
import { peopleKey } from './api.ts'
import {
  cellAfter,
  cellOf,
  isComputedLater,
  reasonBefore,
  recorded,
  settingOf,
  withCells,
  type ChangedCell,
  type Direction,
  type GridColumn,
  type GridPerson,
  type History,
  type MarkAddress,
  type MarkEdit,
  type SavedChange,
} from './edits.ts'

/** Names a cell. */
export function cellKey({ username, columnId }: MarkAddress): string {
  return `${username}:${columnId}`
}

/** Puts cells into all lists that are read; a read on its way would bring the old ones. */
async function putCells(course: string, cells: readonly ChangedCell[]): Promise<void> {
  const filter = { queryKey: peopleKey(course) }
  // A first read goes on: nothing would start it again.
  await queryClient.cancelQueries({
    ...filter,
    predicate: ({ state }) => state.data !== undefined,
  })
  queryClient.setQueriesData<InfiniteData<GradebookPage, string>>(
    filter,
    (data) => data && withCells(data, cells),
  )
}

/** The cells that edits change: what was set, how they look now, and how they will look. */
function stepsOf(
  edits: readonly MarkEdit[],
  people: readonly GridPerson[],
  columns: readonly GridColumn[],
) {
  const byName = new Map(people.map((person) => [person.user.username, person]))
  const byId = new Map(columns.map((column) => [column.id, column]))
  return edits.flatMap((edit) => {
    const { username, columnId } = edit
    const person = byName.get(username)
    const column = byId.get(columnId)
    if (person === undefined || column === undefined) return []
    const cell = cellOf(person, column)
    return [
      {
        before: { username, columnId, ...settingOf(cell, column) },
        old: { username, columnId, cell },
        next: { username, columnId, cell: cellAfter(cell, column, edit) },
      },
    ]
  })
}

interface Save {
  edits: MarkEdit[]
  reason: string
  direction: Direction
  /** What is undone or made again. */
  change?: SavedChange
}

interface SavingProps {
  /** All people that are loaded. */
  loaded: readonly GridPerson[]
  /** All columns, also those that are not shown. */
  columns: readonly GridColumn[]
  onSaved: (change: SavedChange, direction: Direction) => void
  onRefused: (edits: readonly MarkEdit[], error: unknown) => void
}

/** Saves marks: the grid shows them at once, and again the old ones if they are refused. */
function useSaving({ loaded, columns, onSaved, onRefused }: SavingProps) {
  const { course } = useCourse()
  const isUnsure = useRef(false)
  return useMutation({
    // One after the other, so that a later change never meets an earlier one on its way.
    scope: { id: `gradebook:${course}` },
    onMutate: async ({ edits }: Save) => {
      const steps = stepsOf(edits, loaded, columns)
      await putCells(
        course,
        steps.map(({ next }) => next),
      )
      return steps
    },
    mutationFn: ({ edits, reason }: Save) =>
      call('PATCH /course/:name/gradebook', {
        params: { name: course },
        body: { edits, reason },
        as: marksEdited,
      }),
    onSuccess: async ({ cells }, { edits, reason, direction, change }, steps) => {
      const before = steps.map((step) => step.before)
      onSaved(change ?? { before, after: edits, reason }, direction)
      await putCells(course, cells)
      // The reading after a failure may have been cut off.
      const people = isComputedLater(edits) ? [peopleKey(course)] : []
      void (isUnsure.current ? refreshMarks() : refresh(['gradebook', course, 'mark'], ...people))
      isUnsure.current = false
    },
    onError: async (error, { edits }, steps) => {
      onRefused(edits, error)
      await putCells(course, steps?.map(({ old }) => old) ?? [])
      // Without an answer the marks may have been saved all the same. The next change does not wait for this reading.
      isUnsure.current = true
      void refreshMarks()
    },
  })
}

/** The changes of the grid's marks: saving, undoing, and why one was refused. */
export function useEdits({ loaded, columns }: Pick<SavingProps, 'loaded' | 'columns'>) {
  const { t } = useTranslation()
  const [history, setHistory] = useState<History>({ done: [], undone: [] })
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map())

  /** Forgets that changes of these cells were refused. */
  function settle(cells: readonly MarkAddress[]) {
    const keys = new Set(cells.map(cellKey))
    setRefusals((old) => {
      const left = new Map([...old].filter(([key]) => !keys.has(key)))
      // A new map draws all rows again.
      return left.size === old.size ? old : left
    })
  }

  function why(error: unknown): string {
    const isLost = error instanceof ApiError && error.code === LOCAL_ERROR_CODES.network
    return isLost ? t('gradebook.grid.offline') : errorText(t, error)
  }

  const saving = useSaving({
    loaded,
    columns,
    onSaved: (change, direction) => {
      settle(change.after)
      setHistory((old) => recorded(old, change, direction))
    },
    onRefused: (edits, error) =>
      setRefusals(
        (old) => new Map([...old, ...edits.map((edit) => [cellKey(edit), why(error)] as const)]),
      ),
  })

  function stepBack(direction: 'undo' | 'redo') {
    const change = (direction === 'undo' ? history.done : history.undone).at(-1)
    if (change === undefined || saving.isPending) return
    // Students read the reason: a mark that comes back brings its own.
    if (direction === 'undo')
      saving.mutate({ edits: change.before, reason: reasonBefore(history), direction, change })
    else saving.mutate({ edits: change.after, reason: change.reason, direction, change })
  }

  return {
    refusals,
    isSaving: saving.isPending,
    isSaved: saving.isSuccess,
    /** Whether the last save was a change that can be undone. */
    isUndoable: saving.isSuccess && history.done.at(-1)?.after === saving.variables.edits,
    error: saving.error === null ? null : why(saving.error),
    save: (edits: MarkEdit[], reason: string) => saving.mutate({ edits, reason, direction: 'new' }),
    settle,
    stepBack,
  }
}
