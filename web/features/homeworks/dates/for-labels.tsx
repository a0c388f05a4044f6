import { Button, Group, NativeSelect, Text } from '@mantine/core'
import { IconTag } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { overridesChanged, type HomeworkDatesTable } from '#contract/homework-overrides'
import type { Homework } from '#contract/homeworks'
import type { Label } from '#contract/labels'
import { TimeText } from '../../../components/display/time-text.tsx'
import { ErrorBox } from '../../../components/feedback/error-box.tsx'
import { targetsOf, type Target } from '../../../components/homeworks/extension-values.ts'
import { OpenedExtension } from '../../../components/homeworks/opened-extension.tsx'
import { ListTable, type Column } from '../../../components/lists/list-table.tsx'
import { DialogButton } from '../../../components/overlays/dialog-button.tsx'
import { Section } from '../../../components/page/section.tsx'
import { call } from '../../../lib/api/call.ts'
import { useCourse } from '../../../lib/queries/course.ts'
import { refreshHomework } from '../../../lib/queries/refresh-homework.ts'
import classes from './dates.module.css'
import { ChangedBy, useSpecialText } from './special-text.tsx'

interface Row {
  label: Label
  target: Target
}

/** The form for a label, below the choice of the label. */
function ChosenLabel({ homework, onClose }: { homework: Homework; onClose: () => void }) {
  const { t } = useTranslation()
  const { labels } = useCourse()
  const [id, setId] = useState(labels[0]?.id)
  const label = labels.find((each) => each.id === id)
  return (
    <>
      <NativeSelect
        mb="md"
        label={t('labels.label')}
        value={id}
        onChange={({ currentTarget }) => setId(Number(currentTarget.value))}
        data={labels.map((each) => ({ value: String(each.id), label: each.name }))}
      />
      {label === undefined ? null : (
        <OpenedExtension key={id} homeworkId={homework.id} whose={{ label }} onClose={onClose} />
      )}
    </>
  )
}

/** Takes back the dates of a label. */
function useTakingBack({ id }: Homework) {
  return useMutation({
    mutationFn: async (label: number) => {
      const { kept } = await call('DELETE /homework/:id/overrides', {
        params: { id },
        body: { usernames: [], labels: [label] },
        ifMatch: null,
        as: overridesChanged,
      })
      await refreshHomework(id)
      return kept
    },
  })
}

interface ActionsProps {
  homework: Homework
  takingBack: ReturnType<typeof useTakingBack>
}

/** The buttons at the end of a label's row. */
function RowActions({ homework, label, takingBack }: ActionsProps & { label: Label }) {
  const { t } = useTranslation()
  return (
    <Group gap={8} wrap="nowrap">
      <DialogButton
        buttonSize="xs"
        label={t('common.edit')}
        ofWhat={t('labels.editDatesOf', { name: label.name })}
        title={t('labels.everybodyWith', { name: label.name })}
        size="lg"
      >
        {(close) => <OpenedExtension homeworkId={homework.id} whose={{ label }} onClose={close} />}
      </DialogButton>
      <Button
        size="xs"
        variant="subtle"
        aria-label={t('labels.takeBackOf', { name: label.name })}
        disabled={takingBack.isPending}
        onClick={() => takingBack.mutate(label.id)}
      >
        {t('dates.takeBack')}
      </Button>
    </Group>
  )
}

function useColumns({ homework, takingBack }: ActionsProps): Column<Row>[] {
  const { t } = useTranslation()
  const special = useSpecialText()
  const { memberLabels } = useCourse()
  const countOf = ({ id }: Label) =>
    [...memberLabels.values()].filter((ids) => ids.includes(id)).length
  return [
    {
      head: t('labels.label'),
      className: classes.text,
      isWide: true,
      renderCell: ({ label }) => (
        <>
          {label.name}{' '}
          <Text span inherit c="dimmed">
            {t('dates.people', { count: countOf(label) })}
          </Text>
        </>
      ),
    },
    ...(['opens', 'due', 'closes'] as const).map((field): Column<Row> => ({
      head: t(`dates.${field}`),
      isLabelled: true,
      renderCell: ({ target }) => (
        <TimeText
          at={target.own[field]}
          isDeadline={field !== 'opens'}
          withZone={false}
          mayLieAhead
        />
      ),
    })),
    {
      head: t('dates.changed'),
      className: classes.text,
      isWide: true,
      renderCell: ({ target: { override } }) =>
        override && (
          <>
            {special(override)} {override.reason} <ChangedBy override={override} />
          </>
        ),
    },
    {
      head: t('common.actions'),
      renderCell: ({ label }) => <RowActions {...{ homework, label, takingBack }} />,
    },
  ]
}

/** The dates of labels, and the button that gives a label dates. */
export function ForLabels({ homework, table }: { homework: Homework; table: HomeworkDatesTable }) {
  const { t } = useTranslation()
  const { labels } = useCourse()
  const takingBack = useTakingBack(homework)
  const columns = useColumns({ homework, takingBack })
  const rows = labels.flatMap((label) =>
    targetsOf({ label }, table, homework).map((target) => ({ label, target })),
  )
  const changed = rows.filter(({ target }) => target.override !== null)
  if (labels.length === 0) return null
  return (
    <Section
      title={t('labels.forLabels')}
      help={t('labels.forLabelsHelp')}
      actions={
        <DialogButton
          label={t('labels.changeForLabel')}
          icon={<IconTag size={16} aria-hidden="true" />}
          size="lg"
        >
          {(close) => <ChosenLabel homework={homework} onClose={close} />}
        </DialogButton>
      }
    >
      {changed.length === 0 ? null : (
        <ListTable
          className="app-cards"
          label={t('labels.forLabels')}
          columns={columns}
          rows={changed}
          keyOf={({ label }) => label.id}
        />
      )}
      <ErrorBox of={takingBack} />
      {/* Always rendered, so that screen readers announce changes in it. */}
      <output>
        {takingBack.data === undefined ? null : (
          <Text size="sm" mt="xs">
            {t('labels.takenBack')}
            {takingBack.data > 0 ? ` ${t('dates.keptCount', { count: takingBack.data })}` : null}
          </Text>
        )}
      </output>
    </Section>
  )
}
