import { Anchor, Button, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { EXCUSED_TEXT, type GradebookMark } from '#contract/gradebook'
import { Person } from '../../components/display/person.tsx'
import { TimeText } from '../../components/display/time-text.tsx'
import { ErrorBox } from '../../components/feedback/error-box.tsx'
import { RowsSkeleton } from '../../components/feedback/rows-skeleton.tsx'
import { FormError } from '../../components/forms/form-error.tsx'
import { MarkSentences } from '../../components/marks/mark-sentences.tsx'
import { call } from '../../lib/api/call.ts'
import { useColumnName } from '../../lib/format/column-name.ts'
import { useNumberText } from '../../lib/format/number-text.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { markQuery, refreshMarks } from '../../lib/queries/marks.ts'
import { paths } from '../../paths.ts'
import classes from './grid.module.css'
import type { MarkAddress } from './edits.ts'
import { MarkForm, type Saving } from './mark-form.tsx'

/** What staff have set in the cell, newest first. */
function History({ history }: Pick<GradebookMark, 'history'>) {
  const { t } = useTranslation()
  const { points } = useNumberText()
  if (history.length === 0) return null
  return (
    <div>
      <Text size="sm" fw={600}>
        {t('gradebook.grid.history')}
      </Text>
      <ol className="app-list" reversed>
        {history.map((past) => (
          <Text key={`${past.at} ${past.reason}`} component="li" size="sm">
            {past.excused
              ? t('gradebook.grid.state.e')
              : past.points === null
                ? t('gradebook.grid.takenBack')
                : points(past.points)}
            {' · '}
            {past.by ?? t('gradebook.grid.gone')} · <TimeText at={past.at} />
            {past.reason === '' ? null : ` · ${past.reason}`}
          </Text>
        ))}
      </ol>
    </div>
  )
}

/** The points that staff gave for problems and for the homework. */
function Given({ given, problems }: Pick<GradebookMark, 'given' | 'problems'>) {
  const { t } = useTranslation()
  const { points } = useNumberText()
  if (given.length === 0) return null
  const names = new Map(problems.map(({ problemId, name }) => [problemId, name]))
  return (
    <div>
      <Text size="sm" fw={600}>
        {t('gradebook.grid.given')}
      </Text>
      <ul className="app-list">
        {given.map((each) => (
          <Text key={each.problemId ?? 0} component="li" size="sm">
            {each.problemId === null
              ? t('gradebook.grid.whole')
              : `#${each.problemId} ${names.get(each.problemId) ?? ''}`.trim()}
            {': '}
            {points(each.points)}
            {' · '}
            {each.by ?? t('gradebook.grid.gone')} · <TimeText at={each.at} />
            {each.comment === '' ? null : ` · ${each.comment}`}
          </Text>
        ))}
      </ul>
    </div>
  )
}

/** Holds the mark back, or lets it go. */
function HoldButton({ mark }: { mark: GradebookMark }) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const { column, user, held } = mark
  const hold = useMutation({
    mutationFn: () =>
      call('PUT /course/:name/gradebook/:columnId/held', {
        params: { name: course, columnId: column.id },
        body: { usernames: [user.username], held: !held },
      }),
    onSuccess: refreshMarks,
  })
  return (
    <>
      <Group gap={10}>
        <Button size="xs" variant="default" loading={hold.isPending} onClick={() => hold.mutate()}>
          {t(held ? 'gradebook.grid.letGo' : 'gradebook.grid.hold')}
        </Button>
        {held ? <Text size="sm">{t('gradebook.grid.heldHelp')}</Text> : null}
      </Group>
      <FormError error={hold.error} />
    </>
  )
}

interface LoadedMarkProps extends Saving {
  mark: GradebookMark
}

/** A mark, why it is so, and what can be done. */
export function LoadedMark({ mark, ...saving }: LoadedMarkProps) {
  const { t } = useTranslation()
  const { points } = useNumberText()
  const { course, may } = useCourse()
  const nameOf = useColumnName()
  const { column, user, questionId } = mark
  const canEdit = may('gradebook.write') && column.kind !== 'total'
  return (
    <Stack gap={14}>
      <div>
        <Text size="sm" c="dimmed">
          <Person user={user} /> · {nameOf(column)}
        </Text>
        <span className="app-figure">
          {mark.excused ? EXCUSED_TEXT : mark.points === null ? '–' : points(mark.points)}
        </span>{' '}
        {t('gradebook.grid.outOf', { max: points(column.max) })}
      </div>
      <MarkSentences mark={mark} />
      <Given {...mark} />
      {canEdit ? <MarkForm key={`${column.id} ${user.username}`} mark={mark} {...saving} /> : null}
      {may('gradebook.write') ? <HoldButton mark={mark} /> : null}
      <History history={mark.history} />
      <Group gap={14} fz="sm">
        {questionId === null ? null : (
          <Anchor component={Link} to={paths.question(course, questionId)} inherit>
            {t('gradebook.grid.question')}
          </Anchor>
        )}
        <Anchor component={Link} to={paths.studentMarks(course, user.username)} inherit>
          {t('gradebook.grid.studentPage')}
        </Anchor>
      </Group>
    </Stack>
  )
}

interface MarkPanelProps extends Omit<LoadedMarkProps, 'mark'> {
  of: MarkAddress
  /** Whether it rises from the foot of a narrow screen. */
  isSheet: boolean
  onClose: () => void
}

/** "Why this mark": beside the grid, or over a narrow screen. */
export function MarkPanel({ of, isSheet, onClose, ...props }: MarkPanelProps) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const read = useQuery(markQuery(course, of.columnId, of.username))
  const title = t('gradebook.grid.why')
  const content = (
    <>
      {read.isPending ? <RowsSkeleton rows={4} /> : null}
      <ErrorBox of={read} />
      {read.data ? <LoadedMark mark={read.data} {...props} /> : null}
    </>
  )
  if (isSheet)
    return (
      <Drawer
        opened
        onClose={onClose}
        position="bottom"
        size="80%"
        title={title}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        {content}
      </Drawer>
    )
  return (
    <section className={`app-card app-screen-only ${classes.panel}`} aria-label={title}>
      <Stack p="lg" gap={12}>
        <Group justify="space-between" wrap="nowrap">
          <Title order={2} size="h4">
            {title}
          </Title>
          <Button
            size="xs"
            variant="subtle"
            leftSection={<IconX size={14} aria-hidden="true" />}
            onClick={onClose}
          >
            {t('common.close')}
          </Button>
        </Group>
        {content}
      </Stack>
    </section>
  )
}
