import { Anchor, Text } from '@mantine/core'
import { IconClockQuestion } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { lazy, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Homework } from '#contract/homeworks'
import { useErrorText } from '../../lib/api/error-text.ts'
import { useCourse } from '../../lib/queries/course.ts'
import { questionPath, questionsQuery } from '../../lib/queries/questions.ts'
import { paths } from '../../paths.ts'
import { FallbackBoundary } from '../feedback/fallback-boundary.tsx'
import { RowsSkeleton } from '../feedback/rows-skeleton.tsx'
import { DialogButton } from '../overlays/dialog-button.tsx'
import type { SentRequest } from './request-form.tsx'
import { requestStateText } from './request-state.ts'

const RequestForm = lazy(async () => ({
  default: (await import('./request-form.tsx')).RequestForm,
}))

/** Says that a request was sent, and what to do if its file was not. */
function Sent({ sent }: { sent: SentRequest | null }) {
  const { t } = useTranslation()
  const { course } = useCourse()
  const errorText = useErrorText()
  const isWhole = sent !== null && sent.fileError === null
  return (
    <>
      <Text component="output" display="block" fz="sm">
        {isWhole ? t('requests.sent') : ''}
      </Text>
      <div role="alert">
        {sent === null || isWhole ? null : (
          <Text size="sm" c="var(--mantine-color-error)">
            {t('requests.fileFailed', { why: errorText(sent.fileError) })}{' '}
            <Anchor
              component={Link}
              to={paths.question(course, sent.questionId)}
              inherit
              underline="always"
            >
              {t('requests.addFileThere')}
            </Anchor>
          </Text>
        )}
      </div>
    </>
  )
}

/** A student's requests for more time in a homework, and the button that asks for more. */
export function HomeworkRequests({ homework }: { homework: Homework }) {
  const { t } = useTranslation()
  const { course, closedAt } = useCourse()
  const [sent, setSent] = useState<SentRequest | null>(null)
  const list = useInfiniteQuery(questionsQuery(course, { state: '', problemId: '' }))
  const requests = (list.data?.pages ?? [])
    .flatMap(({ items }) => items)
    .flatMap((question) =>
      question.request?.homeworkId === homework.id ? [{ question, request: question.request }] : [],
    )
  const isWaiting = requests.some(({ request }) => request.outcome === null)
  const mayAsk = closedAt === null && !isWaiting && !homework.own.excused
  const button = t('requests.ask')
  return (
    <div style={{ marginBottom: 12 }}>
      {requests.map(({ question, request }) => (
        <Text key={question.questionId} size="sm" lh={1.75}>
          <Anchor component={Link} to={questionPath(question)} inherit>
            {requestStateText(request, t)}
          </Anchor>
        </Text>
      ))}
      {mayAsk ? (
        <span className="app-screen-only">
          <DialogButton
            label={button}
            ofWhat={t('requests.askFor', { name: homework.name })}
            icon={<IconClockQuestion size={15} aria-hidden="true" />}
            buttonSize="xs"
            title={t('requests.title', { homework: homework.name })}
            size="lg"
            keepsInput
          >
            {(close) => (
              <FallbackBoundary fallback={null} loading={<RowsSkeleton rows={4} height={50} />}>
                <RequestForm
                  homework={homework}
                  onSent={(done) => {
                    setSent(done)
                    close()
                  }}
                  onCancel={close}
                />
              </FallbackBoundary>
            )}
          </DialogButton>
        </span>
      ) : null}
      <Sent sent={sent} />
    </div>
  )
}
