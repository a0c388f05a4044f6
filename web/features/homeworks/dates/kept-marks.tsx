import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import type { KeptMark } from '#contract/homework-overrides'
import { Person } from '../../../components/display/person.tsx'
import { ErrorBox } from '../../../components/feedback/error-box.tsx'
import { ListTable, type Column } from '../../../components/lists/list-table.tsx'
import { Section } from '../../../components/page/section.tsx'
import { call } from '../../../lib/api/call.ts'
import { askToConfirm } from '../../../lib/confirm.ts'
import { useNumberText } from '../../../lib/format/number-text.ts'
import { keptMarksQuery } from '../../../lib/queries/homework-dates.ts'
import { refreshHomework } from '../../../lib/queries/refresh-homework.ts'

/** The part of the page that a link to kept marks leads to. */
const ANCHOR = 'kept-marks'

interface ColumnsProps {
  isBusy: boolean
  onConfirm: (usernames: string[]) => void
}

function useColumns({ isBusy, onConfirm }: ColumnsProps): Column<KeptMark>[] {
  const { t } = useTranslation()
  const { points } = useNumberText()
  return [
    { head: t('scoreboard.student'), renderCell: ({ user }) => <Person user={user} /> },
    {
      head: t('submission.problem'),
      renderCell: ({ problemId, problemName }) => `#${problemId} ${problemName}`,
    },
    {
      head: t('dates.keptMark'),
      isNumeric: true,
      isLabelled: true,
      renderCell: ({ kept }) => points(kept),
    },
    {
      head: t('dates.newMark'),
      isNumeric: true,
      isLabelled: true,
      renderCell: ({ now }) => points(now),
    },
    {
      head: t('common.actions'),
      renderCell: ({ user: { username, displayedName } }) => (
        <Button
          size="xs"
          variant="default"
          disabled={isBusy}
          aria-label={t('dates.confirmOf', { name: displayedName || username })}
          onClick={() => onConfirm([username])}
        >
          {t('dates.confirm')}
        </Button>
      ),
    },
  ]
}

/** Asks, then lets the lower marks of students come into force. */
function useConfirming(homeworkId: string) {
  const { t } = useTranslation()
  const confirming = useMutation({
    mutationFn: (usernames: string[]) =>
      call('POST /homework/:id/kept-marks/confirm', {
        params: { id: homeworkId },
        body: { usernames },
      }),
    onSuccess: () => refreshHomework(homeworkId),
  })

  async function askAndConfirm(usernames: string[]) {
    const isSure = await askToConfirm({
      title: t('dates.confirmAsk.title', { count: usernames.length }),
      text: t('dates.confirmAsk.text'),
      label: t('dates.confirm'),
    })
    if (isSure) confirming.mutate(usernames)
  }

  return { confirming, askAndConfirm }
}

/** Marks that a change of dates would lower; they stay until staff confirm the lower ones. */
export function KeptMarks({ homeworkId }: { homeworkId: string }) {
  const { t } = useTranslation()
  const isTarget = useLocation().hash === `#${ANCHOR}`
  const part = useRef<HTMLDivElement>(null)
  const kept = useQuery(keptMarksQuery(homeworkId))
  const { confirming, askAndConfirm } = useConfirming(homeworkId)
  const columns = useColumns({
    isBusy: confirming.isPending,
    onConfirm: (usernames) => void askAndConfirm(usernames),
  })
  const marks = kept.data ?? []
  const isShown = isTarget && marks.length > 0
  useEffect(() => {
    if (isShown) part.current?.scrollIntoView()
  }, [isShown])
  if (marks.length === 0) return <ErrorBox of={kept} />
  const everybody = [...new Set(marks.map(({ user }) => user.username))]
  return (
    <div id={ANCHOR} ref={part}>
      <Section
        title={t('dates.keptTitle')}
        help={t('dates.keptHelp')}
        actions={
          <Button
            variant="default"
            loading={confirming.isPending}
            onClick={() => void askAndConfirm(everybody)}
          >
            {t('dates.confirmAll')}
          </Button>
        }
      >
        <ErrorBox of={confirming} />
        <ListTable
          className="app-cards"
          label={t('dates.keptTitle')}
          columns={columns}
          rows={marks}
          keyOf={({ user, problemId }) => `${user.username} ${problemId}`}
        />
      </Section>
    </div>
  )
}
