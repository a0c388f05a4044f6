import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCalendarUser, IconDownload, IconPrinter, IconUsers } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import type { UserInfo } from '#contract/fields'
import { sumOfPoints } from '#contract/homework-dates'
import { isBoardOpen, type Homework } from '#contract/homeworks'
import { TOTAL_SCORE } from '#contract/limits'
import { BarPlot } from '../../components/display/bar-plot.tsx'
import { ProgramsDownload } from '../../components/downloads/programs-download.tsx'
import { EmptyState } from '../../components/feedback/empty-state.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { OpenedExtension } from '../../components/homeworks/opened-extension.tsx'
import { OpenedPoints } from '../../components/homeworks/opened-points.tsx'
import { LabelFilter } from '../../components/labels/label-filter.tsx'
import { labelCell, NO_LABEL } from '../../components/labels/labels.ts'
import { useLabelChoice } from '../../components/labels/use-label-choice.ts'
import { Dialog } from '../../components/overlays/dialog.tsx'
import { LinkButton } from '../../components/page/link-button.tsx'
import { Page } from '../../components/page/page.tsx'
import { SameMistakes } from '../../components/problem/same-mistakes.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import type { Sort } from '../../components/lists/sort-header.tsx'
import { ForbiddenPage } from '../../layout/forbidden-page.tsx'
import { LoadedPage } from '../../layout/loaded-page.tsx'
import { withFilter } from '../../lib/navigation/address-filter.ts'
import { useCourseCrumbs } from '../../lib/navigation/course-crumbs.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { downloadCsv } from '../../lib/files/download.ts'
import { histogramBars } from '../../lib/histogram.ts'
import { paths } from '../../paths.ts'
import { homeworkQuery } from '../../lib/queries/homework-dates.ts'
import { scoreboardQuery, type TimeWindow } from './api.ts'
import { BoardTable, type Give } from './board-table.tsx'
import {
  boardOfHomework,
  boardOfWindow,
  boardTable,
  MARKS_BY,
  SORT_KEYS,
  sortBoard,
  type BoardRow,
} from './scoreboard.ts'
import { Statistics } from './statistics.tsx'
import { StudentBoard } from './student-board.tsx'
import { WindowBar } from './window-bar.tsx'

/** Epoch seconds from the address, or null. */
function secondsOf(text: string | null): number | null {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null
}

const textOf = (at: number | null) => (at === null ? '' : String(at))

/** The time window in the address. */
function useTimeWindow() {
  const [query, setQuery] = useSearchParams()
  const window = { start: secondsOf(query.get('start')), end: secondsOf(query.get('end')) }
  function setWindow({ start, end }: TimeWindow) {
    setQuery(
      (current) => withFilter(withFilter(current, 'start', textOf(start)), 'end', textOf(end)),
      { replace: true },
    )
  }
  return { window, isOpen: window.start === null && window.end === null, setWindow }
}

/** The board of the homework, or of a time window; of the chosen label's students. */
function useBoard(homework: Homework, window: TimeWindow, isOpen: boolean) {
  const { course, students } = useCourse()
  const { isShown } = useLabelChoice(true)
  const timed = useQuery({
    ...scoreboardQuery(course, homework.problemIds, window),
    enabled: !isOpen && homework.problemIds.length > 0,
    placeholderData: keepPreviousData,
  })
  const rows = isOpen
    ? boardOfHomework(students, homework)
    : timed.data && boardOfWindow(timed.data, homework.problemIds)
  return { rows: rows?.filter(({ user }) => isShown(user.username)), timed }
}

interface BoardActionsProps {
  homework: Homework
  rows: BoardRow[]
  /** The names of the homework's problems. */
  problems: string[]
}

function BoardActions({ homework, rows, problems }: BoardActionsProps) {
  const { t } = useTranslation()
  const course = useCourse()
  const { isOffered } = useLabelChoice(true)

  function exportCsv() {
    const labels = {
      head: t('csv.column.labels'),
      cellOf: ({ username }: UserInfo) => labelCell(course, username),
    }
    const heads = {
      ...(isOffered && { labels }),
      username: t('profile.username'),
      displayName: t('profile.displayName'),
      sum: t('scoreboard.sum'),
      average: t('scoreboard.average'),
      given: t('scoreboard.givenForWhole'),
      excused: t('scoreboard.excused'),
      yes: t('common.yes'),
      tries: (problem: string) => t('scoreboard.triesOf', { problem }),
      late: (problem: string) => t('scoreboard.lateOf', { problem }),
      by: (problem: string) => t('scoreboard.byOf', { problem }),
      byName: (by: (typeof MARKS_BY)[number]) => t(`scoreboard.by.${by}`),
    }
    return downloadCsv(`${homework.course} ${homework.name}`, boardTable(rows, problems, heads))
  }

  return (
    <div className="app-screen-only app-row">
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden="true" />}
        onClick={() => void exportCsv()}
      >
        {t('scoreboard.export')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconPrinter size={16} aria-hidden="true" />}
        onClick={() => window.print()}
      >
        {t('scoreboard.print')}
      </Button>
      <ProgramsDownload homeworkId={homework.id} />
    </div>
  )
}

/** What the dialog gives. `opening` counts up: a dialog that opens while the last one still fades out starts anew. */
interface Given {
  what: Give
  student: UserInfo
  opening: number
}

/** The dialog that gives a student more time or points. */
function useGiveDialog({ id }: Homework) {
  const { t } = useTranslation()
  const { may } = useCourse()
  const [given, setGiven] = useState<Given | null>(null)
  const [opened, dialog] = useDisclosure(false)

  function open(what: Give, student: UserInfo) {
    setGiven({ what, student, opening: (given?.opening ?? 0) + 1 })
    dialog.open()
  }

  const name = given === null ? '' : given.student.displayedName || given.student.username
  const content =
    given?.what === 'time' ? (
      <OpenedExtension homeworkId={id} whose={[given.student]} onClose={dialog.close} />
    ) : given ? (
      <OpenedPoints homeworkId={id} student={given.student} onClose={dialog.close} />
    ) : null
  return {
    onGive: may('homework.write') ? open : null,
    dialog: (
      <Dialog
        opened={opened}
        onClose={dialog.close}
        title={t(given?.what === 'points' ? 'points.giveTo' : 'dates.moreTimeFor', { name })}
        size="lg"
      >
        <Fragment key={given?.opening}>{content}</Fragment>
      </Dialog>
    ),
  }
}

function Board({ homework, title }: { homework: Homework; title: string }) {
  const { t } = useTranslation()
  const { course, may } = useCourse()
  const { choice } = useLabelChoice(true)
  const { window: times, isOpen, setWindow } = useTimeWindow()
  const [sort, setSort] = useState<Sort>({ by: SORT_KEYS.sum, descending: true })
  const { rows, timed } = useBoard(homework, times, isOpen)
  const { onGive, dialog } = useGiveDialog(homework)
  const problems = homework.problems.map(({ problemId, problemName }) => ({
    problemId,
    name: `#${problemId} ${problemName}`,
  }))

  if (timed.isLoadingError && !isOpen) return <ErrorBox of={timed} />
  const sorted = rows && sortBoard(rows, sort.by, sort.descending)
  return (
    <>
      <LabelFilter withNone mb={12} />
      <WindowBar window={times} onChange={setWindow} />
      {sorted === undefined ? <RowsSkeleton rows={8} height={56} /> : null}
      {sorted === undefined ? null : (
        <>
          <BoardActions
            homework={homework}
            rows={sorted}
            problems={problems.map(({ name }) => name)}
          />
          <BoardTable
            {...{ title, course, problems, sort }}
            rows={sorted}
            onSort={setSort}
            onGive={onGive}
          />
          {dialog}
          {isOpen && choice !== NO_LABEL && may('gradebook.read') ? (
            <Statistics homework={homework} label={choice} />
          ) : (
            <BarPlot
              title={t('scoreboard.sums')}
              labelColumn={t('scoreboard.sum')}
              countColumn={t('stats.students')}
              bars={histogramBars(
                sorted.flatMap(({ sum }) => sum ?? []),
                isOpen ? sumOfPoints(homework.points) : problems.length * TOTAL_SCORE,
              )}
            />
          )}
        </>
      )}
    </>
  )
}

/** The scoreboard for staff, which shows everything, or the scoreboard for students. */
function BoardOf({ homework }: { homework: Homework }) {
  const { t } = useTranslation()
  const { students, may } = useCourse()
  const title = t('homeworks.statsOf', { name: homework.name })
  if (students.length === 0 || homework.problemIds.length === 0)
    return (
      <EmptyState
        Icon={IconUsers}
        text={students.length === 0 ? t('homeworks.noStudents') : t('homeworks.noProblems')}
      />
    )
  return may('submission.readAll') ? (
    <Board homework={homework} title={title} />
  ) : (
    <StudentBoard homework={homework} title={title} />
  )
}

/** `/course/{name}/homeworks/{id}/stats`: for staff, and for students where the homework says so. */
export function HomeworkStatsPage() {
  const { t } = useTranslation()
  const { homeworkId = '' } = useParams()
  const { course, may } = useCourse()
  const crumbs = useCourseCrumbs('homeworks')
  const homework = useQuery(homeworkQuery(homeworkId))
  return (
    <LoadedPage
      query={homework}
      title={t('homeworks.scoreboard')}
      crumbs={crumbs}
      isHere={(data) => data.course === course}
    >
      {(data) =>
        may('submission.readAll') || isBoardOpen(data) ? (
          <Page
            title={t('homeworks.statsOf', { name: data.name })}
            crumbs={crumbs}
            actions={
              <>
                <SameMistakes to={paths.homeworkMistakes(course, data.id)} />
                {may('homework.write') ? (
                  <LinkButton
                    to={paths.homeworkDates(course, data.id)}
                    Icon={IconCalendarUser}
                    label={t('dates.title')}
                  />
                ) : null}
              </>
            }
          >
            <BoardOf homework={data} />
          </Page>
        ) : (
          <ForbiddenPage />
        )
      }
    </LoadedPage>
  )
}
