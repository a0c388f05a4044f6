import { Text, TextInput } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { GradebookColumns } from '#contract/gradebook'
import { TEXT_LIMITS } from '#contract/limits'
import { FormError } from '../../components/forms/form-error.tsx'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { useColumnName } from '../../lib/format/column-name.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { BlockForm } from './block-form.tsx'
import type { GridColumn, GridPerson, MarkAddress, MarkEdit } from './edits.ts'
import { FilterBar } from './filter-bar.tsx'
import { Grid } from './grid.tsx'
import { STATES } from './grid-row.tsx'
import classes from './grid.module.css'
import { MarkPanel } from './mark-panel.tsx'
import { SavedText } from './saved-text.tsx'
import { ShowForm } from './show-form.tsx'
import { useEdits } from './use-edits.ts'
import { GRID_ID, type BlockEdits } from './use-grid.ts'
import type { GridFilter } from './use-people.ts'

interface MarksViewProps {
  table: GradebookColumns
  /** The order of the cells. */
  columnIds: readonly number[]
  /** All that are loaded, and those that the filter shows. */
  loaded: readonly GridPerson[]
  people: readonly GridPerson[]
  filter: GridFilter
  /** What stands at the foot: how much is loaded and computed. */
  state: ReactNode
}

/** All columns, and those that are shown: on a narrow screen one at a time. */
function useColumns({ table: { columns }, columnIds, filter: { group } }: MarksViewProps) {
  const isNarrow = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false })
  const [chosen, setChosen] = useState<number>()
  const nameOf = useColumnName()
  const all = useMemo(
    () =>
      columns
        .map((column) => ({
          ...column,
          name: nameOf(column),
          cellIndex: columnIds.indexOf(column.id),
        }))
        .filter(({ cellIndex }) => cellIndex >= 0),
    [columns, columnIds, nameOf],
  )
  const inGroup = useMemo(
    () =>
      all.filter(
        ({ kind, groupId }) => group === '' || kind === 'total' || String(groupId) === group,
      ),
    [all, group],
  )
  const only = inGroup.find(({ id }) => id === chosen) ?? inGroup.at(-1)
  const shown = useMemo(() => (isNarrow && only ? [only] : inGroup), [isNarrow, only, inGroup])
  return { all, inGroup, shown, isNarrow, chosen: only?.id, setChosen }
}

/** What the letters of the cells mean. */
function Legend() {
  const { t } = useTranslation()
  return (
    <p className={classes.legend}>
      <span>{t('gradebook.grid.legend.excused')}</span>
      {STATES.map((letter) => (
        <span key={letter}>
          <i className={classes.state} data-state={letter} aria-hidden="true" />
          {t(`gradebook.grid.state.${letter}`)}
        </span>
      ))}
    </p>
  )
}

/** What became of a change, whether nobody is found, and what letters mean. */
function Foot({
  loaded,
  people,
  children,
}: Pick<MarksViewProps, 'loaded' | 'people'> & { children: ReactNode }) {
  const { t } = useTranslation()
  // Only a label leaves out all students of a course.
  const none =
    loaded.length === 0 ? t('gradebook.grid.noneLabelled') : t('gradebook.grid.noneFound')
  return (
    <div className={classes.foot}>
      <Text component="output" size="sm" display="block">
        {people.length === 0 ? none : ''}
      </Text>
      {children}
      <Legend />
    </div>
  )
}

/** Saves changes of the grid with the last reason; of several marks after a question. */
function useChanges(edits: ReturnType<typeof useEdits>, columns: readonly GridColumn[]) {
  const { t } = useTranslation()
  const [reason, setReason] = useState('')
  const [asked, setAsked] = useState<BlockEdits | null>(null)
  const [warning, setWarning] = useState('')
  const [isFixed, setIsFixed] = useState(false)

  function save(changed: MarkEdit[], given: string) {
    setReason(given)
    setIsFixed(false)
    const above = changed.flatMap(({ points, columnId }) => {
      const max = columns.find(({ id }) => id === columnId)?.max ?? Infinity
      return points !== null && points > max ? [max] : []
    })
    setWarning(above[0] === undefined ? '' : t('gradebook.grid.above', { max: above[0] }))
    edits.save(changed, given)
  }

  function change(block: BlockEdits) {
    const { same, faults, leftOut } = block
    edits.settle(same)
    const isNothing = block.edits.length === 0 && faults.length === 0
    setIsFixed(isNothing && leftOut > 0)
    if (isNothing) return
    if (block.edits.length === 1 && faults.length === 0 && leftOut === 0) save(block.edits, reason)
    else setAsked(block)
  }

  function stepBack(direction: 'undo' | 'redo') {
    setWarning('')
    setIsFixed(false)
    edits.stepBack(direction)
  }

  return { reason, setReason, asked, setAsked, warning, isFixed, save, change, stepBack }
}

interface ToldProps {
  edits: ReturnType<typeof useEdits>
  changes: ReturnType<typeof useChanges>
}

/** The reason that goes with the next changes. */
function ReasonField({ reason, setReason }: ToldProps['changes']) {
  const { t } = useTranslation()
  return (
    <TextInput
      className={classes.reason}
      label={t('gradebook.grid.nextReason')}
      maxLength={TEXT_LIMITS.markReason}
      value={reason}
      onChange={({ currentTarget }) => setReason(currentTarget.value)}
    />
  )
}

function focusGrid() {
  document.getElementById(GRID_ID)?.focus({ preventScroll: true })
}

/** What became of the last change. */
function Told({ edits, changes: { warning, isFixed, stepBack } }: ToldProps) {
  const { t } = useTranslation()
  function undo() {
    stepBack('undo')
    // The button goes, and the keys go on in the grid.
    focusGrid()
  }
  const why = isFixed ? t('gradebook.grid.fixed') : edits.error
  return (
    <>
      <SavedText
        isSaved={edits.isSaved && !isFixed}
        warning={warning}
        onUndo={edits.isUndoable ? undo : null}
      />
      <FormError>{why === null ? null : t('gradebook.grid.refused', { why })}</FormError>
    </>
  )
}

interface DialogsProps {
  changes: ReturnType<typeof useChanges>
  /** The column of which readers are chosen; null: none. */
  showing: GridColumn | null
  onShown: () => void
}

/** The questions about several marks, and about who sees a column. */
function Dialogs({ changes, showing, onShown }: DialogsProps) {
  const { t } = useTranslation()
  const { asked, reason, save, setAsked } = changes
  const close = () => setAsked(null)
  return (
    <>
      <Dialog opened={asked !== null} onClose={close} title={t('gradebook.grid.block.title')}>
        {asked ? <BlockForm change={asked} reason={reason} onSave={save} onClose={close} /> : null}
      </Dialog>
      <Dialog
        opened={showing !== null}
        onClose={onShown}
        title={t('gradebook.grid.show.title', { name: showing?.name ?? '' })}
      >
        {showing ? <ShowForm column={showing} onClose={onShown} /> : null}
      </Dialog>
    </>
  )
}

/** The grid with its filters, dialogs and panel. */
export function MarksView(props: MarksViewProps) {
  const { table, loaded, people, filter, state } = props
  const { may } = useCourse()
  const { all, inGroup, shown, isNarrow, chosen, setChosen } = useColumns(props)
  const edits = useEdits({ loaded, columns: all })
  const { isSaving, isSaved, error } = edits
  const changes = useChanges(edits, all)
  const [opened, setOpened] = useState<MarkAddress | null>(null)
  const [showing, setShowing] = useState<GridColumn | null>(null)

  function closePanel() {
    setOpened(null)
    focusGrid()
  }

  return (
    <>
      <FilterBar
        {...{ filter, chosen }}
        groups={table.groups}
        columns={isNarrow ? inGroup : null}
        onChoose={setChosen}
      >
        {may('gradebook.write') ? <ReasonField {...changes} /> : null}
      </FilterBar>
      <div className={classes.frame}>
        <Grid
          {...{ people }}
          columns={shown}
          sort={filter.sort}
          refusals={edits.refusals}
          canEdit={may('gradebook.write')}
          onChange={changes.change}
          onOpen={(username, columnId) => setOpened({ username, columnId })}
          onClose={closePanel}
          onStepBack={changes.stepBack}
          onSort={filter.setSort}
          onShow={setShowing}
        />
        {opened ? (
          <MarkPanel
            of={opened}
            isSheet={isNarrow}
            onClose={closePanel}
            reason={changes.reason}
            onSave={changes.save}
            onUndo={edits.isUndoable ? () => changes.stepBack('undo') : null}
            {...{ isSaving, isSaved, error }}
          />
        ) : null}
      </div>
      <Foot {...{ loaded, people }}>
        <Told {...{ edits, changes }} />
        {state}
      </Foot>
      <Dialogs {...{ changes, showing }} onShown={() => setShowing(null)} />
    </>
  )
}
